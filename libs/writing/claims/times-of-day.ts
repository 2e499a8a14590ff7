/** A time of day or a duration as a clock shows it, such as `9:30`, `8 h` or `10 Uhr`. */
export interface ClockTime {
  at: number;
  end: number;
  /** Seconds since midnight. */
  seconds: number;
}

const CLOCK =
  /(?<![\p{N}.,:])(\d{1,2}):(\d{2})(?::(\d{2}))?(?![\p{N}:])(?: ?([ap])\.?m\.?)?|(?<![\p{N}.,:])(\d{1,2})(?:\.(\d{2}))?(?: ?([ap])\.?m\.?(?!\p{L})| Uhr(?!\p{L})| ?h(?: ?(\d{2})(?!\d)|(?= (?:à|et|y|a) )|(?=[.,;)]|$)))/giu;
/** `9` in `9 to 17:00`, `10` in `von 10 bis 18 Uhr`. */
const START = /(?<![\p{N}.,:])(\d{1,2})(?: h)? ?(?:to|bis|–|-|do|à|a) ?$/iu;

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

const DAYS = [
  'monday|montag|poniedział|lundi|lunes',
  'tuesday|dienstag|wtor|mardi|martes',
  'wednesday|mittwoch|środ|mercredi|miércoles',
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
