/** A time of day or a duration as a clock shows it, such as `9:30`, `8 h` or `10 Uhr`. */
export interface ClockTime {
  at: number;
  end: number;
  /** Seconds since midnight. */
  seconds: number;
}

const CLOCK =
  /(?<![\p{N}.,:])(\d{1,2}):(\d{2})(?::(\d{2}))?(?!\p{N}|:\p{N}|[.,]\d)(?: ?([ap])\.?m\.?)?|(?<![\p{N}.,:])(\d{1,2})(?:\.(\d{2}))?(?: ?([ap])\.?m\.?(?!\p{L})| Uhr(?!\p{L})| ?h(?: ?(\d{2})(?!\d)|(?= (?:à|et|y|a) )|(?=[.,;)]|$)))/giu;
/** `9` in `9 to 17:00`, `10` in `von 10 bis 18 Uhr`. */
const START =
  /(?<![\p{N}.,:])(\d{1,2})(?: h)? ?(?:to|bis|–|-|do|à|a|statt(?: um)?|instead of|zamiast(?: o)?|au lieu de|en lugar de(?: las)?) ?$/iu;

/** Returns the times of day in a text. Linear. */
export function clockTimes(text: string): ClockTime[] {
  const found: ClockTime[] = [];
  for (const match of text.matchAll(CLOCK)) {
    const [whole, hour, minute, second, half, plainHour, dotMinute, plainHalf, frenchMinute] = match;
    const plainMinute = dotMinute ?? frenchMinute;
    const isAfternoon = (half ?? plainHalf ?? 'a').toLowerCase() === 'p' && Number(hour ?? plainHour) < 12;
    const hours = Number(hour ?? plainHour) + (isAfternoon ? 12 : 0);
    if (hours > 24) continue;
    const seconds = hours * 3_600 + Number(minute ?? plainMinute ?? 0) * 60 + Number(second ?? 0);
    const start = START.exec(text.slice(Math.max(0, match.index - 12), match.index));
    if (
      start &&
      found.at(-1)?.end !== match.index - start[0].length + start[0].trimEnd().length &&
      !found.some(({ end }) => end > match.index - start[0].length)
    )
      found.push({
        at: match.index - start[0].length,
        end: match.index - start[0].length + start[1]!.length,
        seconds: Number(start[1]) * 3_600,
      });
    found.push({ at: match.index, end: match.index + whole.length, seconds });
  }
  return found;
}

const LOGGED = /(?<![\p{L}\p{N}.,:/-])([01]\d|2[0-3])([0-5]\d)(?![\p{L}\p{N}:/%°-]|[.,]\d)/gu;

/** Returns the times of a log such as `0410`. A text has some only if one of them begins with a zero. Linear. */
export function loggedTimes(text: string): ClockTime[] {
  const times = Array.from(text.matchAll(LOGGED));
  if (!times.some(([digits]) => digits.startsWith('0'))) return [];
  return times.map(({ 0: digits, 1: hours, 2: minutes, index: at }) => ({
    at,
    end: at + digits.length,
    seconds: Number(hours) * 3_600 + Number(minutes) * 60,
  }));
}

const DAYS = [
  'monday|montag(?!e)|poniedział|lundi|lunes',
  'tuesday|dienstag|wtor|mardi|martes',
  'wednesday|mittwoch|środ(?=a|ę|y|zie|ą|o)|mercredi|miércoles',
  'thursday|donnerstag|czwart(?:ek|ku)|jeudi|jueves',
  'friday|freitag|piąt(?:ek|ku)|vendredi|viernes',
  'saturday|samstag|sonnabend|sobot|samedi|sábado',
  'sunday|sonntag|niedziel|dimanche|domingo',
];
const DAY_NAME = new RegExp(
  `(?<!\\p{L})(?:${DAYS.map((names) => `(${names})`).join('|')})\\p{Ll}{0,4}(?!\\p{L})|(?<!\\p{L})(weekdays|werktags|wochentags|w dni robocze|en semaine)(?!\\p{L})`,
  'giu',
);
const RANGE = /^\s?(?:to|till|until|through|bis|–|-|do|au|à|a)\s?$/iu;

/** Returns how many days of the week each mention covers, with its offset: `Tuesday to Friday` is four. */
export function weekdays(text: string): { at: number; days: number }[] {
  const named = Array.from(text.matchAll(DAY_NAME), (match) => ({
    at: match.index,
    end: match.index + match[0].length,
    day: match.slice(1, 8).findIndex((group) => group !== undefined),
  }));
  const found: { at: number; days: number }[] = [];
  named.forEach(({ at, day }, i) => {
    const before = named[i - 1];
    if (day < 0) found.push({ at, days: 5 });
    else if (before && before.day >= 0 && day > before.day && RANGE.test(text.slice(before.end, at)))
      found.at(-1)!.days += day - before.day;
    else found.push({ at, days: 1 });
  });
  return found;
}

/** Short names of the days, as in opening hours. */
const SHORT_DAYS = [
  'Mon|Mo|pon|lun',
  'Tue|Tues|Di|wt|mar',
  'Wed|Mi|śr|mer|mié',
  'Thu|Thur|Thurs|Do|czw|jeu|jue',
  'Fri|Fr|pt|ven|vie',
  'Sat|Sa|sob|sam|sáb',
  'Sun|So|nd|niedz|dim|dom',
];
const SHORT_DAY = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${SHORT_DAYS.map((names) => `(${names})`).join('|')})(?=[.,:–-]|\\s(?:\\d|to|bis))`,
  'gu',
);
const WEEKEND = /(?<!\p{L})(?:weekends?|wochenenden?|week-ends?|fin de semana|fines de semana)(?!\p{L})/iu;
const DAYS_A_WEEK = 7;
/** 1 January 1970 was a Thursday. */
const THURSDAY = 3;

/** Returns the day of the week, Monday as 0, of a number of days since 1 January 1970. */
export const weekdayOf = (days: number): number =>
  (((days + THURSDAY) % DAYS_A_WEEK) + DAYS_A_WEEK) % DAYS_A_WEEK;

/** Returns the days of the week that a text names by their full names, Monday as 0, with their words. */
export function namedWeekdays(text: string): { text: string; day: number }[] {
  return Array.from(text.matchAll(DAY_NAME), (match) => ({
    text: match[0],
    day: match.slice(1, 8).findIndex((group) => group !== undefined),
  })).filter(({ day }) => day >= 0);
}

/** Returns the distances in days between the days of the week that a text names. */
export function weekdayGaps(text: string): Set<number> {
  const named = [...coveredWeekdays(text)];
  return new Set(
    named.flatMap((a) => named.flatMap((b) => (a === b ? [] : [(a - b + DAYS_A_WEEK) % DAYS_A_WEEK]))),
  );
}

/** Returns the days of the week that a text covers: named ones, short names, and those within ranges. */
export function coveredWeekdays(text: string): Set<number> {
  const covered = new Set(namedWeekdays(text).map(({ day }) => day));
  for (const match of text.matchAll(SHORT_DAY))
    covered.add(match.slice(1, 8).findIndex((group) => group !== undefined));
  const working = weekdays(text).some(({ days }) => days > 1);
  // In a range, and of all working days, the days between are not named.
  if (working) {
    const ends = [...covered];
    const [from, to] = ends.length > 1 ? [Math.min(...ends), Math.max(...ends)] : [0, 4];
    for (let day = from; day <= to; day++) covered.add(day);
  }
  if (WEEKEND.test(text)) for (const day of [DAYS_A_WEEK - 2, DAYS_A_WEEK - 1]) covered.add(day);
  return covered;
}

/**
 * Returns the durations in seconds that follow from the times of day in a sentence: of each period, of all periods of
 * a day together, and of a week if the sentence names its days.
 */
export function openingHours(sentence: string): number[] {
  const times = clockTimes(sentence);
  const periods = times.flatMap(({ at, seconds }, i) => {
    const end = times[i + 1];
    return i % 2 === 0 && end && end.seconds > seconds ? [{ at, length: end.seconds - seconds }] : [];
  });
  const daily = periods.reduce((sum, { length }) => sum + length, 0);
  return [
    ...periods.map(({ length }) => length),
    daily,
    weeklyHours(periods, weekdays(sentence), daily),
  ].filter((value) => value > 0);
}

/** Adds up the periods of a week. Days apply to the periods after them, or to all if they are named last. */
function weeklyHours(
  periods: { at: number; length: number }[],
  days: { at: number; days: number }[],
  daily: number,
): number {
  const first = days[0];
  if (!first || periods.length === 0) return 0;
  if (first.at > periods[0]!.at) return daily * days.reduce((sum, one) => sum + one.days, 0);
  let [total, current, isClosed] = [0, 0, false];
  for (const one of [...periods, ...days].sort((a, b) => a.at - b.at)) {
    if ('length' in one) {
      total += one.length * current;
      isClosed = true;
    } else {
      current = isClosed ? one.days : current + one.days;
      isClosed = false;
    }
  }
  return total;
}
