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
  /(?<![\p{L}\p{N}.,])(?:(\d{1,2})(?:st|nd|rd|th|er|\.)?(?: ?(?:and|to|–|-|bis|do|al|au|und|y|a|et|i) ?(?:the |el |le )?(\d{1,2})(?:st|nd|rd|th|er|\.)?)? (?:de |of )?)?(\p{L}{3,12})(?:,? (?:de |del )?(\d{4}))?(?!\p{N})/gu;
const AMERICAN =
  /(?<!\p{L})((?:Jan|Febr?)(?:uary)?|March|April|May|June|July|Aug(?:ust)?|Sept(?:ember)?|Oct(?:ober)?|(?:Nov|Dec)(?:ember)?) (\d{1,2})(?:st|nd|rd|th)?(?:, (\d{4}))?(?!\p{N})/gu;
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
  // A day without its month is in that of the date before it: `on 14 November … on the 19th`.
  for (const match of text.matchAll(BARE_DAY)) {
    const before = found.findLast(({ at }) => at < match.index);
    const { 1: english, 2: german, 3: other } = match;
    if (!before || before.end > match.index || before.first !== before.last) continue;
    const { month, day } = calendarDay(before.first);
    const first = before.first + Number(english ?? german ?? other) - day;
    if (calendarDay(first).month === month)
      found.push({
        at: match.index,
        end: match.index + match[0].length,
        year: before.year,
        first,
        last: first,
      });
  }
  return found.sort((a, b) => a.at - b.at);
}

/** A day of the calendar without its year. */
export interface CalendarDay {
  month: number;
  day: number;
}

/** The days that a text names. */
export interface NamedDays {
  dates: CalendarDay[];
  /** Days without a month: `on the 19th`, `el día 10`. */
  bare: ReadonlySet<number>;
  /** Whether the text names the day after or before another one. */
  hasNeighbours: boolean;
  /** Whether the text names the end of a month. */
  hasMonthEnd: boolean;
}

const NUMERIC =
  /(?<![\p{N}.,/])(\d{1,2})(?:\.(\d{1,2})\.|\.(0[1-9]|1[0-2])(?![\d.,:%])|\/(\d{1,2})(?=[/ .,;:)]|$))/gu;
const ISO_DAY = /(?<!\d)\d{4}-(\d{2})-(\d{2})(?!\d)/gu;
const BARE_DAY =
  /(?<![\p{L}\p{N}.,])(?:the (\d{1,2})(?:st|nd|rd|th)|(?:am|den|dem|vom|zum) (\d{1,2})\.(?! ?\d)|(?:día|dnia|le|el) (\d{1,2}))(?![\p{L}\p{N}]|[.,]\p{N})/giu;
const NEIGHBOUR =
  /(?<!\p{L})(?:next|following|previous|day (?:after|before)|tomorrow|yesterday|last night|eve|nächste[nr]?|folgende[nr]?|Vortag|vorige[nr]?|tags (?:darauf|zuvor)|morgen|gestern|(?:letzte|vergangene) Nacht|nazajutrz|następn\p{L}{1,4}|poprzedni\p{L}{0,3}|jutro|wczoraj|zeszłej nocy|lendemain|veille|suivante?|demain|hier|siguiente|víspera|anterior|mañana|ayer)(?!\p{L})/iu;
const MONTH_END =
  /(?<!\p{L})(?:end of|late|Ende|Monatsende|koniec|końca|końcu|końcem|fin|finales?|último)(?!\p{L})/iu;

const DAY_AND_MONTH = /(?<![\p{N}.,/])(\d{1,2})\.(?:(\d{1,2})\.(?![\d,])|(0[1-9]|1[0-2])(?![\d.,:%]))/gu;

/** Returns the days written as `03.11.`, in the first year that the text names. Linear. */
export function numericDays(text: string): { at: number; days: [number, number] }[] {
  const year = Number(/(?<!\d)(?:19|20)\d{2}(?!\d)/.exec(text)?.[0] ?? ANY_YEAR);
  return Array.from(text.matchAll(DAY_AND_MONTH)).flatMap(({ index: at, 1: day, 2: dotted, 3: short }) => {
    const month = dotted ?? short;
    if (Number(month) < 1 || Number(month) > MONTHS_A_YEAR || Number(day) < 1 || Number(day) > 31) return [];
    const days = Date.UTC(year, Number(month) - 1, Number(day)) / 86_400_000;
    return [{ at, days: [days, days] as [number, number] }];
  });
}

/** Returns the days that a text names, in words or numbers. Linear. */
export function namedDays(text: string): NamedDays {
  const dates = dayDates(text)
    .filter(({ first, last }) => first === last)
    .map(({ first }): CalendarDay => calendarDay(first));
  for (const { 1: month, 2: day } of text.matchAll(ISO_DAY))
    dates.push({ month: Number(month), day: Number(day) });
  for (const { 1: first, 2: dotted, 3: short, 4: other } of text.matchAll(NUMERIC)) {
    const [a, b] = [Number(first), Number(dotted ?? short ?? other)];
    if (b <= MONTHS_A_YEAR) dates.push({ month: b, day: a });
    // Americans write the month first.
    if (other !== undefined && a <= MONTHS_A_YEAR) dates.push({ month: a, day: b });
  }
  // In `am 24. Mai` the day has its month.
  const whole = dayDates(text).map(({ at }) => at);
  const bare = Array.from(text.matchAll(BARE_DAY))
    .filter(({ index, 0: words }) => !whole.some((at) => at > index && at < index + words.length))
    .map(([, ...days]) => Number(days.find((day) => day !== undefined)));
  return {
    dates,
    bare: new Set(bare),
    hasNeighbours: NEIGHBOUR.test(text),
    hasMonthEnd: MONTH_END.test(text),
  };
}

const MONTHS_A_YEAR = 12;
const LATE_IN_MONTH = 28;

/** Returns the day of a number of days since 1 January 1970. */
export function calendarDay(days: number): CalendarDay {
  const date = new Date(days * 86_400_000);
  return { month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

/**
 * Returns whether a text that names days names this one, or one from which it follows; null if the text names no day of
 * the month.
 *
 * @param distances numbers of days between events in the text
 */
export function hasDay(days: NamedDays, wanted: CalendarDay, distances: number[]): boolean | null {
  const ofYear = ({ month, day }: CalendarDay) => Date.UTC(ANY_YEAR, month - 1, day) / 86_400_000;
  const gaps = new Set(distances);
  if (days.hasNeighbours) gaps.add(1);
  if (days.bare.has(wanted.day) || (days.hasMonthEnd && wanted.day >= LATE_IN_MONTH)) return true;
  if (days.dates.some((date) => date.month === wanted.month && date.day === wanted.day)) return true;
  if (days.dates.some((date) => gaps.has(Math.abs(ofYear(date) - ofYear(wanted))))) return true;
  return days.dates.some(({ month }) => month === wanted.month) ? false : null;
}
