import { dates, MONTH_OF } from '../facts/dates.js';
import words from './words.json' with { type: 'json' };

/** A time of day in a text, in minutes since midnight. */
export interface ClockTime {
  text: string;
  /** Offsets in the text. */
  at: number;
  end: number;
  minutes: number;
  /** Whether it is marked as `am` or `pm`. */
  hasHalf: boolean;
}

const HALF_DAY = 720;
const MARK = "(?:\\s?([ap])\\.?m\\.?(?!\\p{L})|\\s?(?:Uhr|o['’]clock)(?!\\p{L}))";
/** Without minutes, ` am` may be a German preposition. */
const HOUR_MARK =
  "(?:\\s?(p)\\.?m\\.?(?!\\p{L})|\\s?(a)\\.m\\.|(a)m(?!\\p{L})|\\s?(?:Uhr|o['’]clock)(?!\\p{L}))";
const PREPOSITION = '(?<=(?<!\\p{L})(?:um|gegen|ab|bis|o|od|do|godz\\.|godzinie|at) )';
const CLOCK = new RegExp(
  [
    `(?<![\\d.,:])([01]?\\d|2[0-4]):([0-5]\\d)(?::[0-5]\\d)?(?![\\d:])${MARK}?`,
    `(?<![\\d.,:])([01]?\\d|2[0-4])\\.([0-5]\\d)${MARK}`,
    `${PREPOSITION}([01]?\\d|2[0-4])\\.([0-5]\\d)(?!\\d|[.,]\\d|\\s?(?:[%€£$]|euro|mill?i|mio|zł))`,
    `(?<![\\d.,:])([01]?\\d|2[0-4])${HOUR_MARK}`,
  ].join('|'),
  'giu',
);

/** Returns the times of day of a text: `14:20`, `2.20 pm`, `um 14.20`, `15 Uhr`, also in `2026-03-12T14:20:00Z`. */
export function clockTimesIn(text: string): ClockTime[] {
  return Array.from(text.matchAll(CLOCK), (match) => {
    const [words, h1, m1, half1, h2, m2, half2, h3, m3, h4, ...halves] = match;
    const at = match.index;
    const hour = Number(h1 ?? h2 ?? h3 ?? h4);
    const half = (half1 ?? half2 ?? halves.find((half) => half !== undefined))?.toLowerCase();
    const minutes = (half ? (hour % 12) + (half === 'p' ? 12 : 0) : hour) * 60 + Number(m1 ?? m2 ?? m3 ?? 0);
    return { text: words, at, end: at + words.length, minutes, hasHalf: half !== undefined };
  });
}

/** Returns whether two times are the same; a time marked as `pm` may be unmarked in another text. */
export const isSameTime = (a: ClockTime, b: ClockTime): boolean =>
  a.minutes === b.minutes || (a.hasHalf !== b.hasHalf && a.minutes % HALF_DAY === b.minutes % HALF_DAY);

/** A date as a text states it: any part may be missing. `weekday` is 0 for Sunday. */
export interface StatedDate {
  text: string;
  /** Offsets in the text. */
  at: number;
  end: number;
  year?: number;
  month?: number;
  day?: number;
  weekday?: number;
}

const WEEKDAY_OF = new Map(
  words.weekdays.flatMap((names, i) => names.split(' ').map((name) => [name, i] as const)),
);

/** Names of months that are common words, too; they count only next to a day. */
const WORDS_TOO = new Set('may mar march mars maj maja jan jun dec luty mai sept enero'.split(' '));
const WORD = /(?<![\p{L}\p{N}])\p{L}{3,12}(?![\p{L}\p{N}])/gu;
const DAY_BEFORE = /(?<![\p{N}.,:])(\d{1,2})(?:st|nd|rd|th|\.)?(?: of| de)? $/u;
const DAY_BEHIND = /^ (\d{1,2})(?:st|nd|rd|th)?(?![\p{N}:]|[.,]\d)/u;

/** Returns the dates of a text: whole ones, days of a month, months, years behind a preposition, and weekdays. */
export function datesIn(text: string): StatedDate[] {
  const found = dates(text).map(({ text: words, value, at }): StatedDate => {
    const [year, month, day] = value.split('-').map(Number);
    return { text: words, at, end: at + words.length, year, ...(month && { month }), ...(day && { day }) };
  });
  const isFree = (at: number) => !found.some((date) => at >= date.at && at < date.end);
  for (const { 0: word, index: at } of text.matchAll(WORD)) {
    const lower = word.toLowerCase();
    const weekday = WEEKDAY_OF.get(lower);
    const month = MONTH_OF.get(lower);
    if (weekday !== undefined) found.push({ text: word, at, end: at + word.length, weekday });
    if (month === undefined || !isFree(at)) continue;
    const before = DAY_BEFORE.exec(text.slice(Math.max(0, at - 10), at));
    const behind = DAY_BEHIND.exec(text.slice(at + word.length, at + word.length + 6));
    const day = before ?? behind;
    if (!day && WORDS_TOO.has(lower)) continue;
    const start = before ? at - before[0].length : at;
    const end = at + word.length + (!before && behind ? behind[0].length : 0);
    found.push({
      text: text.slice(start, end).trim(),
      at: start,
      end,
      month,
      ...(day && { day: Number(day[1]) }),
    });
  }
  return found.sort((a, b) => a.at - b.at);
}

/** Dates of a text, prepared for look-up. */
export class Calendar {
  private readonly dates: StatedDate[];
  /** Years, which are also figures without a preposition. */
  private readonly years: ReadonlySet<number>;

  constructor(dates: StatedDate[], figures: readonly number[]) {
    this.dates = dates;
    this.years = new Set([...figures, ...dates.flatMap(({ year }) => year ?? [])]);
  }

  /** Returns whether the text states each part of a date, day and month together. */
  has({ year, month, day, weekday }: StatedDate): boolean {
    if (weekday !== undefined)
      return this.dates.some((other) => other.weekday === weekday || weekdayOf(other) === weekday);
    if (year !== undefined && !this.years.has(year)) return false;
    if (month === undefined) return true;
    return this.dates.some(
      (other) =>
        other.month === month &&
        (day === undefined || other.day === day) &&
        (year === undefined || other.year === undefined || other.year === year),
    );
  }
}

function weekdayOf({ year, month, day }: StatedDate): number | null {
  if (year === undefined || month === undefined || day === undefined) return null;
  return new Date(Date.UTC(year, month - 1, day)).getUTCDay();
}
