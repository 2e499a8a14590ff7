import { pairsOf } from '#contracts/text.js';
import words from './words.json' with { type: 'json' };

/** Returns the words of lines, each with the first word of its line. */
export const withFirstOfLine = (lines: readonly string[]): Map<string, string> =>
  new Map(lines.map((line) => line.split(' ')).flatMap((all) => all.map((word) => [word, all[0]!] as const)));

/** The first spelling of a unit is its canonical form. Case is significant if it distinguishes units (m, M). */
const CANONICAL = withFirstOfLine(words.units);

const NUMBERS = new Map(pairsOf(words.numbers));

const MONTHS_AND_DAYS = new Set(words.monthsAndDays.split(' '));

/** Returns the canonical form of a unit after a number, or null if the word is not a unit. */
export function canonicalUnit(word: string): string | null {
  return CANONICAL.get(word) ?? (word.length > 2 ? (CANONICAL.get(word.toLowerCase()) ?? null) : null);
}

/** Removes thousands separators: `1,000` → `1000`. Decimals (`0.50`), versions and dates stay unchanged. */
export function canonicalNumber(text: string): string {
  return /^[$€£]?\d{1,3}(?:[,_]\d{3})+(?:\.\d+)?$/.test(text) ? text.replace(/[,_]/g, '') : text;
}

/** Returns the digits of a number word, or null. "One" is excluded, because it usually is not a number. */
export function numberOfWord(word: string): string | null {
  return NUMBERS.get(word.toLowerCase()) ?? null;
}

export function isMonthOrDay(word: string): boolean {
  return MONTHS_AND_DAYS.has(word);
}
