import { letterNumber, romanNumber } from './number-formats.js';
import type { Label } from './numbering.js';

/**
 * Computes the indentation of list items, so that Markdown nests them like the document. An item without its parent
 * items would be parsed as code, so it is moved out as far as the current list requires.
 */
export class ListLevels {
  /** Column where the text of the open item begins, by level. */
  private readonly columns: number[] = [];
  /** Level of the current list's first item, which is not indented. */
  private base = 0;

  /**
   * @param level 0 is the outermost
   * @param marker `-` or `1.`
   * @param continues whether the previous block was also an item
   * @returns the indented marker with a trailing blank
   */
  prefix(level: number, marker: string, continues: boolean): string {
    if (!continues || level < this.base) this.base = level;
    this.columns.length = continues ? Math.min(level - this.base, this.columns.length) : 0;
    const indent = this.columns.at(-1) ?? 0;
    this.columns.push(indent + marker.length + 1);
    return `${' '.repeat(indent)}${marker} `;
  }

  /** Returns the indentation of further blocks of the last item. */
  indent(): string {
    return ' '.repeat(this.columns.at(-1) ?? 0);
  }

  /** Returns the indentation of the items of a level. */
  indentOf(level: number): string {
    return ' '.repeat(this.columns[level - this.base - 1] ?? 0);
  }
}

const LARGEST = 999_999_999;

/**
 * Returns the Markdown marker of an item if our documents, which number levels `1.`, `a.` and `i.`, show the same label.
 * Otherwise null: the label becomes part of the text.
 *
 * @param before number of the last outermost item of the list at hand; null at the beginning of a list
 */
export function markerOf({ text, value }: Label, level: number, before: number | null): string | null {
  if (text === '') return '-';
  const shown = [String(value), letterNumber(value), romanNumber(value)][level];
  if (text !== `${shown}.` || value > LARGEST) return null;
  const isNext = before === null ? level === 0 : level > 0 || value === before + 1;
  return isNext ? `${value}.` : null;
}
