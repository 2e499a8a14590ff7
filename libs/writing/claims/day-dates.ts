import { monthNumber } from './lexicon.js';

/** Days of a month in a text, such as `14 July`, `del 5 al 26 de septiembre de 2022` or `April 1951`. */
export interface DayDate {
  at: number;
  end: number;
  year: number | null;
  /** Days since 1 January 1970 of the first and the last day that are meant. */
  first: number;
  last: number;
}

const DAYS =
  /(?<![\p{L}\p{N}.,])(?:(\d{1,2})(?:st|nd|rd|th|er|\.)?(?: ?(?:and|to|–|-|bis|do|al|au|und|y|a|et|i) ?(?:the |el |le )?(\d{1,2})(?:st|nd|rd|th|er|\.)?)? (?:de |of )?)?(\p{L}{3,12}),?(?: (?:de |del )?(\d{4}))?(?!\p{N})/gu;
const AMERICAN = /(?<!\p{L})(\p{L}{3,9}) (\d{1,2})(?:st|nd|rd|th)?(?:, (\d{4}))?(?!\p{N})/gu;
/** Year of dates that lack one, if no other date of the text has one. */
const ANY_YEAR = 2001;

/** Returns the year of the next date: `from 3 June to 19 July 1911`. */
function yearAfter(text: string, at: number): number | null {
  const year = /(?<!\p{N})(1\d{3}|20\d{2})(?!\p{N})/u.exec(text.slice(at, at + YEAR_WITHIN));
  return year ? Number(year[1]) : null;
}
const YEAR_WITHIN = 60;

/** Returns the dates of a text that name a month, in order. A date without a year is in the year of the one before or after it. Linear. */
export function dayDates(text: string): DayDate[] {
  const found: DayDate[] = [];
  const add = (at: number, words: string, [day, until, month, year]: (string | undefined)[]) => {
    const number = monthNumber(month ?? '');
    if (number === null || (day === undefined && year === undefined) || !/^\p{L}/u.test(month ?? '')) return;
    const known = year === undefined ? (found.at(-1)?.year ?? yearAfter(text, at)) : Number(year);
    const on = (date: number) => Date.UTC(known ?? ANY_YEAR, number - 1, date) / 86_400_000;
    const lastOfMonth = new Date(Date.UTC(known ?? ANY_YEAR, number, 0)).getUTCDate();
    const from = on(day === undefined ? 1 : Number(day));
    const to = on(day === undefined ? lastOfMonth : Number(until ?? day));
    const end = at + words.length;
    if (until !== undefined) {
      found.push({ at, end, year: known, first: from, last: from });
      found.push({ at, end, year: known, first: to, last: to });
    } else found.push({ at, end, year: known, first: from, last: to });
  };
  for (const match of text.matchAll(DAYS)) add(match.index, match[0], match.slice(1));
  for (const match of text.matchAll(AMERICAN)) {
    const isRead = found.some(({ at, end }) => match.index < end && match.index + match[0].length > at);
    if (!isRead) add(match.index, match[0], [match[2], undefined, match[1], match[3]]);
  }
  return found.sort((a, b) => a.at - b.at);
}
