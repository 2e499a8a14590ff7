import { erasIn } from './eras.js';
import { knownWords } from './known-words.js';
import { monthRanges } from './months.js';
import type { Candidate, StatingSentence } from './pairs.js';
import type { PointInTime, Quantities, Quantity } from './quantity.js';
import { isAboutAge } from './arithmetic-words.js';
import {
  type ClockTime,
  clockTimes,
  loggedTimes,
  openingHours,
  weekdayGaps,
  weekdays,
} from './times-of-day.js';
import { DAY, unitsNamed, YEAR } from './units.js';

const YEARLY =
  /(?<!\p{L})(?:1\d{3}|20\d{2}|annual|yearly|jährlich|jahres\p{L}*|roczn\p{L}{1,3}|annuel(?:le)?|anual(?:es)?)(?!\p{L})/iu;
const MONTHLY =
  /(?<!\p{L})(?:monthly|monatlich|miesięczn\p{L}{1,3}|mensuel(?:le)?|mensual(?:es)?)(?!\p{L})/iu;

/** Returns the sizes in seconds of the periods that a text names. */
export function periodsOf(text: string): Set<number> {
  const found = new Set(
    unitsNamed(text)
      .filter(({ dimension }) => dimension === 'time')
      .map(({ factor }) => factor),
  );
  if (YEARLY.test(text)) found.add(YEAR);
  if (MONTHLY.test(text)) found.add(YEAR / 12);
  return found;
}

/** Times between two dates, hours of opening, and how many days of the week are named. */
export function* periods(
  claim: Quantity,
  sentence: StatingSentence,
  known: Quantities,
): Generator<Candidate> {
  if (claim.factor >= DAY) {
    const points = pointsFor(sentence, known);
    for (const [i, a] of known.points.entries())
      for (const b of known.points.slice(i + 1))
        if (a.sentence === b.sentence || points.has(a) || points.has(b)) {
          yield* between(a, b, claim.factor);
          const isSpan = a.sentence === b.sentence && SPAN.test(known.sentences[a.sentence] ?? '');
          // `From 2019 to 2022` are four years, too.
          if (isSpan && a.year !== null && b.year !== null)
            yield { value: (Math.abs(a.year - b.year) + 1) * YEAR, rounds: false };
        }
    for (const year of sentence.years)
      for (const point of known.points)
        if (point.year !== null) yield { value: Math.abs(year - point.year) * YEAR, rounds: false };
    // Before the birthday, an age is a year less than the difference.
    if (isAboutAge(sentence.text))
      for (const [i, a] of known.points.entries())
        for (const b of known.points.slice(i + 1))
          if (a.year !== null && b.year !== null)
            yield { value: (Math.abs(a.year - b.year) - 1) * YEAR, rounds: false };
  }
  for (const { dimension, values, sentence: n } of known.quantities)
    if (dimension === 'count' && periodsOf(known.sentences[n] ?? '').has(YEAR))
      for (const value of values) if (value > 1) yield { value: YEAR / value, rounds: false };
  const clocks = claim.factor < DAY ? known.sentences.flatMap(timesIn).slice(0, MOST_CLOCKS) : [];
  for (const [i, a] of clocks.entries())
    for (const b of clocks.slice(i + 1)) {
      yield { value: Math.abs(a.seconds - b.seconds), rounds: false };
      // Past midnight.
      if (b.seconds < a.seconds) yield { value: DAY + b.seconds - a.seconds, rounds: false };
    }
  if (claim.factor === DAY)
    for (const days of weekdayGaps(known.sentences.join(' '))) yield { value: days * DAY, rounds: false };
  for (const point of known.points)
    if (claim.factor >= YEAR && point.year !== null && UNTIL_NOW.test(sentence.text))
      yield { value: (known.thisYear - point.year) * YEAR, rounds: true };
  if (claim.factor >= YEAR && UNTIL_NOW.test(sentence.text))
    for (const { from } of known.sentences.flatMap(erasIn))
      if (from !== undefined)
        for (const year of [from, from + 5, from + 9])
          yield { value: (known.thisYear - year) * YEAR, rounds: true };
  for (const text of known.sentences) {
    for (const value of openingHours(text)) yield { value, rounds: true };
    for (const { length } of claim.factor >= DAY ? monthRanges(text) : [])
      yield { value: (length * YEAR) / 12, rounds: false };
    for (const [pattern, value] of PERIODS) if (pattern.test(text)) yield { value, rounds: false };
    const [from, to, ...others] = claim.factor < DAY ? clockTimes(text) : [];
    if (from && to && others.length === 0)
      for (const value of [Math.abs(from.seconds - to.seconds), DAY - Math.abs(from.seconds - to.seconds)])
        yield { value, rounds: true };
    const days = weekdays(text).reduce((sum, one) => sum + one.days, 0);
    if (days > 1) yield { value: days * DAY, rounds: false };
  }
}

/** Returns the times of day of a sentence, apart from opening hours. */
function timesIn(text: string): ClockTime[] {
  const times = [...clockTimes(text), ...loggedTimes(text)];
  return times.length > 1 && weekdays(text).length > 0 ? [] : times;
}

/** Periods that have no figure: `a year after`, `in the first half`, `the third quarter`. */
const PERIODS: [RegExp, number][] = [
  [/(?<!\p{L})(?:an? year|ein(?:em|es)? Jahr(?:es)?|(?:po|przez) rok(?:u)?|un an|un año)(?!\p{L})/iu, YEAR],
  [
    /(?<!\p{L})(?:(?:first|second) half(?! (?:of|hour))|half-year|Halbjahr\p{L}{0,2}|półrocz\p{L}{1,3}|semestre)(?!\p{L})/iu,
    YEAR / 2,
  ],
  [
    /(?<!\p{L})(?:(?:first|second|third|fourth) quarter|Quartal\p{L}{0,2}|kwarta\p{L}{1,3}|trimestre)(?!\p{L})/iu,
    YEAR / 4,
  ],
];
const MOST_CLOCKS = 20;
/** A period up to the present: `more than 200 years old`. */
const UNTIL_NOW =
  /(?<!\p{L})(?:old|ago|for|alt|vor|seit|temu|lat|depuis|il y a|vieux|hace|desde hace)(?!\p{L})/iu;
/** A span of years with both ends. */
const SPAN =
  /(?<!\p{N})(?:1\d{3}|20\d{2}) ?(?:to|through|until|and|bis|und|do|i|à|et|a|hasta|y|–|-) ?(?:1\d{3}|20\d{2})(?!\p{N})/iu;
const LONG_WORD = 6;

/** Returns the dates that a sentence may be about: those of sentences with which it shares a word, if there are any. */
function pointsFor({ text }: StatingSentence, { points, sentences }: Quantities): Set<PointInTime> {
  const words = (text.match(/\p{L}+/gu) ?? []).filter((word) => word.length >= LONG_WORD);
  const isRelated = sentences.map((own) => {
    const known = knownWords(own);
    return words.some((word) => known.has(word));
  });
  const related = points.filter(({ sentence }) => isRelated[sentence]);
  return new Set(related.length > 0 ? related : points);
}

function* between(a: PointInTime, b: PointInTime, unit: number): Generator<Candidate> {
  const years = a.year !== null && b.year !== null ? Math.abs(a.year - b.year) : 0;
  if (years > 0) yield { value: years * YEAR, rounds: false };
  if (a.days === null || b.days === null) return;
  const [early, late] = a.days[0] <= b.days[0] ? [a.days, b.days] : [b.days, a.days];
  // From the first day to the last, with and without the last one; of months whole ones.
  for (const days of [late[0] - early[0], late[1] - early[0], late[1] - early[0] + 1]) {
    const length = (days * DAY) / unit;
    yield { value: days * DAY, rounds: true };
    yield { value: Math.round(length * 2) * 0.5 * unit, rounds: false };
    yield { value: Math.floor(length) * unit, rounds: false };
  }
}

/** How many items a sentence lists (`A, B and C`), and how many days of the week it names. */
export function* listed({ sentences }: Quantities): Generator<Candidate> {
  for (const text of sentences) {
    yield { value: weekdays(text).reduce((sum, one) => sum + one.days, 0), rounds: false };
    for (const clause of text.split(/[;:()]|(?<!\p{Lu})\./u)) {
      const items = clause.split(/,/u);
      // `Present: Ann, Bo, Cem`.
      if (items.length > 2 && items.every((item) => SHORT_ITEM.test(item)))
        yield { value: items.length, rounds: false };
      const last = items.findIndex((item) => AND.test(item));
      const others = Number(OTHERS.exec(clause)?.[1] ?? 0);
      if (others > 0) yield { value: Math.max(items.length, last + 1) + others, rounds: false };
      if (last < 1) continue;
      // `A, B and C` has two commas less than items, `A, B, and C` one.
      const isSeparate = AND_FIRST.test(items[last] as string);
      yield { value: last + (isSeparate ? 1 : 2), rounds: false };
    }
  }
}

/** `Ann, Bo and 11 others`. */
const OTHERS =
  / (?:and|und|i|oraz|et|y) (\d{1,3}) (?:others?|more|weiter\p{L}{0,2}|ander\p{L}{0,2}|innych|kolejnych|autres|otr[ao]s)(?!\p{L})/iu;
const SHORT_ITEM = /^\s?(?!(?:and|und|i|oraz|et|y) )[\p{L}.-]{1,24}(?: [\p{L}.-]{1,24}){0,2}\s?$/iu;
const AND = / (?:and|und|i|oraz|et|y) /iu;
const AND_FIRST = /^ (?:and|und|i|oraz|et|y) /iu;
