import { letterNumber, romanNumber } from '../letters.js';
import type { Label } from '../numbering.js';

/** A sign such as `•`, or a symbol without a known character. */
const BULLET = /^(?:[^\p{L}\p{N}]|[o§]|\[[^\]]{0,60}\])?$/u;
const MOST_LETTERS = 5;

/** Returns the label of an item from its text in the file. @param level in its list; 0 is the outermost */
export function labelOf(shown: string, level: number): Label {
  const text = shown.replace(/\s+/g, ' ').trim();
  if (BULLET.test(text)) return { text: '', value: 0 };
  return { text, value: valueOf(text.replace(/\.$/, ''), level) };
}

function valueOf(text: string, level: number): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  if (level === 0 || text.length > MOST_LETTERS || !/^[a-z]+$/.test(text)) return 0;
  const name = level === 1 ? letterNumber : romanNumber;
  for (let value = 1; value < 100; value++) if (name(value) === text) return value;
  return 0;
}
