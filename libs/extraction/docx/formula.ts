import { fraction, root, type FormulaText } from '../formula.js';
import { loweredText, raisedText } from '../raised.js';
import { formulaTex, type FormulaNode } from './formula-tex.js';
import type { Attributes } from '../xml.js';

/** Deeper formulas are read without their structure, because reading recurses and no one writes such formulas. */
const DEEPEST = 100;

/** Collects one formula (`m:oMath`) of a Word file. */
export class FormulaReader {
  private readonly open: FormulaNode[] = [];

  /** Whether a formula is open. Its elements and words must be passed to this reader. */
  get isReading(): boolean {
    return this.open.length > 0;
  }

  begin(name: string, attributes: Attributes): void {
    const node: FormulaNode = { name, value: attributes['m:val'], text: '', children: [] };
    this.open.at(-1)?.children.push(node);
    this.open.push(node);
  }

  words(text: string): void {
    const node = this.open.at(-1);
    if (node?.name === 'm:t' || node?.name === 'w:t') node.text += text;
  }

  /** @returns the formula when its last element ends, else null */
  end(): FormulaText | null {
    const node = this.open.pop();
    if (!node || this.open.length > 0) return null;
    return { tex: formulaTex(node), plain: textOf(node, 0).replace(/\s+/g, ' ').trim() };
  }
}

function textOf(node: FormulaNode, depth: number): string {
  if (node.name.endsWith('Pr')) return '';
  const inner = (from: FormulaNode) => from.children.map((child) => textOf(child, depth + 1)).join('');
  if (depth > DEEPEST) return node.text;
  const part = (name: string) => {
    const child = node.children.find((each) => each.name === name);
    return child ? inner(child).trim() : '';
  };
  const property = (name: string) =>
    node.children.find((each) => each.name.endsWith('Pr'))?.children.find((each) => each.name === name)
      ?.value;
  switch (node.name) {
    case 'm:f':
      return fraction(part('m:num'), part('m:den'));
    case 'm:sSup':
      return part('m:e') + raisedText(part('m:sup'));
    case 'm:sSub':
      return part('m:e') + loweredText(part('m:sub'));
    case 'm:sSubSup':
      return part('m:e') + loweredText(part('m:sub')) + raisedText(part('m:sup'));
    case 'm:sPre':
      return raisedText(part('m:sup')) + loweredText(part('m:sub')) + part('m:e');
    case 'm:rad':
      return root(part('m:e'), part('m:deg') === '' ? '' : raisedText(part('m:deg')));
    case 'm:nary':
      return `${property('m:chr') ?? '∫'}${loweredText(part('m:sub'))}${raisedText(part('m:sup'))} ${part('m:e')}`;
    case 'm:limLow':
      return part('m:e') + loweredText(part('m:lim'));
    case 'm:limUpp':
      return part('m:e') + raisedText(part('m:lim'));
    case 'm:func':
      return `${part('m:fName')} ${part('m:e')}`;
    case 'm:d': {
      const terms = node.children.filter(({ name }) => name === 'm:e').map((each) => inner(each).trim());
      return (
        (property('m:begChr') ?? '(') +
        terms.join(property('m:sepChr') ?? '|') +
        (property('m:endChr') ?? ')')
      );
    }
    case 'm:m':
      return `(${node.children
        .filter(({ name }) => name === 'm:mr')
        .map(rowText(inner))
        .join('; ')})`;
    case 'm:eqArr':
      return node.children
        .filter(({ name }) => name === 'm:e')
        .map((each) => inner(each).trim())
        .join('; ');
    default:
      return node.text + inner(node);
  }
}

const rowText =
  (inner: (node: FormulaNode) => string) =>
  ({ children }: FormulaNode): string =>
    children
      .filter(({ name }) => name === 'm:e')
      .map((cell) => inner(cell).trim())
      .join(', ');
