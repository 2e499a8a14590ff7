import { monthNumber } from './lexicon.js';

const MONTHS_A_YEAR = 12;
const RANGE =
  /(?<!\p{L})(\p{L}{3,12}) (?:to|through|until|till|bis|do|à|au|a|hasta|–|-) (\p{L}{3,12})(?!\p{L})/giu;

/**
 * Returns the months that a text implies without naming them: those within a range of months, and the ends of the rest
 * of the year, `November` and `February` of `from March to October`. Linear.
 */
export function impliedMonths(text: string): number[] {
  return monthRanges(text).flatMap((months) => {
    const [first, last] = [months[0] as number, months.at(-1) as number];
    return [...months, ((first + MONTHS_A_YEAR - 2) % MONTHS_A_YEAR) + 1, (last % MONTHS_A_YEAR) + 1];
  });
}

/** Returns the months of each range of months in a text, in order. */
export function monthRanges(text: string): number[][] {
  return Array.from(text.matchAll(RANGE)).flatMap(([, from = '', to = '']) => {
    const [first, last] = [monthNumber(from), monthNumber(to)];
    if (first === null || last === null) return [];
    const length = ((last - first + MONTHS_A_YEAR) % MONTHS_A_YEAR) + 1;
    return [Array.from({ length }, (_, n) => ((first - 1 + n) % MONTHS_A_YEAR) + 1)];
  });
}
