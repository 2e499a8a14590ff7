import { parseFragment } from 'parse5';
import type { FormulaText } from '../formula.js';
import { formulaOf } from '../html/mathml.js';
import type { Element } from '../html/elements.js';

/** Collects one MathML formula of an OpenDocument file. */
export class MathReader {
  private html = '';
  private depth = 0;

  /** Whether a formula is open. Its elements and words must be passed to this reader. */
  get isReading(): boolean {
    return this.depth > 0;
  }

  open(name: string): void {
    this.depth++;
    this.html += `<${localName(name)}>`;
  }

  text(text: string): void {
    this.html += text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
  }

  /** @returns the formula when its last element ends, else null */
  close(name: string): FormulaText | null {
    this.html += `</${localName(name)}>`;
    if (--this.depth > 0) return null;
    const { html } = this;
    this.html = '';
    const math = parseFragment(html).childNodes.find(({ nodeName }) => nodeName === 'math');
    return math ? formulaOf(math as Element) : null;
  }
}

const localName = (name: string) => name.replace(/^[^:]*:/, '').replace(/[^\w-]/g, '');
