import { letterNumber, romanNumber } from './letters.js';
import type { Label } from './numbering.js';

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
