import { mayBeWritten } from './approximation.js';
import { AVERAGE, CHANGE } from './arithmetic-words.js';
import { knownWords } from './known-words.js';
import { isNamedIn, isPartOf, isPrecise, isYear, namedPairs, pairs, type StatingSentence } from './pairs.js';
import type { PointInTime, Quantities, Quantity } from './quantities.js';
import { openingHours, weekdays } from './times-of-day.js';
import { DAY, type Dimension, unitsNamed, YEAR } from './units.js';

/** A value that follows from figures of a passage, in base units. */
interface Candidate {
  value: number;
  /** Whether the value may be rounded to the last digit as written. */
  rounds: boolean;
}

/** Figures of a passage that are combined with each other; more take too long. */
const MOST = 300;

/**
 * Returns whether a figure follows from figures of a passage by simple arithmetic: a sum, difference, product, ratio,
 * percentage or average, a period between dates or hours, another unit, a count of listed items, a rounded value.
 */
export function follows(claim: Quantity, sentence: StatingSentence, all: Quantities): boolean {
  const known = { ...all, quantities: all.quantities.slice(0, MOST), points: all.points.slice(0, MOST) };
  if (claim.dimension === 'share' && claim.values.length === 0) return isMajority(claim, sentence, known);
  for (const { value, rounds } of candidates(claim, sentence, known)) {
    const isSame = claim.values.some((stated) => isWritten(claim, value, stated, rounds));
    if (isSame) return true;
  }
  return false;
}

/** A percentage is rounded to a few points at most. */
const POINTS = 2.5;

function isWritten(claim: Quantity, value: number, stated: number, rounds: boolean): boolean {
  const isNear = claim.dimension !== 'percent' || Math.abs(value - stated) <= (stated % 5 === 0 ? POINTS : 1);
  return isNear && mayBeWritten(value, stated, claim.bound, rounds ? claim.step : null);
}

/** Returns whether the passage states the value of a figure for the same measure. */
export function isStated(claim: Quantity, { quantities }: Quantities): boolean {
  return quantities.some((one) => {
    if (one.dimension === claim.dimension)
      return one.values.some((value) => claim.values.some((own) => isEqual(own, value)));
    const isSameFigure = one.keys.some((key) => claim.keys.includes(key));
    if (!isSameFigure) return false;
    if ([one, claim].every(({ dimension }) => dimension === 'count' || dimension === 'times')) return true;
    // A figure without a unit may have it further behind, or leave it to the figure before it.
    if (one.dimension === 'count') return mayMeasure(one.nouns, claim.dimension);
    return claim.dimension === 'count' && mayMeasure(claim.nouns, one.dimension);
  });
}

const isEqual = (a: number, b: number): boolean => Math.abs(a - b) <= Math.abs(a) * 1e-6;
const LONG_NOUN = 5;
const mayMeasure = (nouns: string[], dimension: Dimension): boolean =>
  (nouns[0]?.length ?? 0) < LONG_NOUN ||
  unitsNamed(nouns.join(' ')).some((unit) => unit.dimension === dimension);

/** `Most of` follows from any two figures of which the sentence names one. */
function isMajority(claim: Quantity, sentence: StatingSentence, known: Quantities): boolean {
  const words = knownWords(sentence.text);
  return UNIT_DIMENSIONS.some((dimension) =>
    [...pairs(claim, dimension, known)].some((pair) => pair.some((one) => isNamedIn(words, one))),
  );
}

/** Returns whether a year that a passage lacks follows from a period: `ninety years old in 2022`. */
export function yearFollows(year: number, sentence: StatingSentence, known: Quantities): boolean {
  const years = known.points.map((point) => point.year);
  const isApart = ({ dimension, values }: Quantity) =>
    dimension === 'time' &&
    values.some((value) => {
      const apart = Math.round(value / YEAR);
      return apart > 0 && (years.includes(year - apart) || years.includes(year + apart));
    });
  return sentence.quantities.some(isApart) || known.quantities.some(isApart);
}

function* candidates(claim: Quantity, sentence: StatingSentence, known: Quantities): Generator<Candidate> {
  const { dimension } = claim;
  yield* sameMeasure(claim, known);
  if (dimension === 'percent' || dimension === 'share' || dimension === 'times') {
    yield* proportions(claim, sentence, known);
    return;
  }
  yield* sums(claim, sentence, known);
  yield* products(dimension, known);
  yield* rates(claim, sentence, known);
  if (dimension === 'time') yield* periods(claim, sentence, known);
  if (dimension === 'count') yield* listed(known);
}

/** Figures of the same dimension, in another unit or rounded. */
function* sameMeasure(claim: Quantity, { quantities }: Quantities): Generator<Candidate> {
  for (const { dimension, values, factor } of quantities)
    if (dimension === claim.dimension)
      for (const value of values)
        yield {
          value,
          rounds: factor !== claim.factor || claim.step < claim.factor || claim.step > 1,
        };
}

function* sums(claim: Quantity, sentence: StatingSentence, known: Quantities): Generator<Candidate> {
  const isDifference = CHANGE.test(sentence.text) || isPrecise(claim) || claim.dimension !== 'count';
  for (const pair of namedPairs(claim, [claim.dimension], sentence, known)) {
    const [a, b] = pair;
    for (const one of a.values)
      for (const other of b.values) {
        yield { value: one + other, rounds: false };
        if (isDifference || isPartOf(pair, known)) yield { value: Math.abs(one - other), rounds: false };
      }
  }
  const own = known.quantities.filter((one) => one.dimension === claim.dimension && one.values.length > 0);
  for (const [i, first] of own.entries()) {
    let total = first.values[0] as number;
    for (const next of own.slice(i + 1)) {
      if (next.sentence !== first.sentence) break;
      total += next.values[0] as number;
      yield { value: total, rounds: false };
    }
  }
}

/** A count of things of a size, and a share of a quantity. */
function* products(dimension: Dimension, { quantities }: Quantities): Generator<Candidate> {
  const sizes = quantities.filter((one) => one.dimension === dimension);
  for (const size of sizes)
    for (const by of quantities) {
      if (by === size || Math.abs(size.sentence - by.sentence) > 2) continue;
      for (const value of size.values)
        for (const factor of by.values) {
          if (by.dimension === 'count' && dimension !== 'count')
            yield { value: value * factor, rounds: false };
          const part = by.dimension === 'percent' ? factor / 100 : by.dimension === 'share' ? factor : null;
          if (part === null || part > 1) continue;
          yield { value: value * part, rounds: true };
          yield { value: value * (1 - part), rounds: true };
        }
    }
}

/** Periods of a calendar in base units, and how many of the shorter one are in the longer one. */
const CALENDAR: [number, number, number][] = [
  [YEAR, YEAR / 12, 12],
  [YEAR, 7 * DAY, 52],
  [YEAR, DAY, 365],
  [YEAR / 12, DAY, 30],
  [7 * DAY, DAY, 7],
  [DAY, 3_600, 24],
];
const YEARLY =
  /(?<!\p{L})(?:1\d{3}|20\d{2}|annual|yearly|jährlich|jahres\p{L}*|roczn\p{L}{1,3}|annuel(?:le)?|anual(?:es)?)(?!\p{L})/iu;
const MONTHLY =
  /(?<!\p{L})(?:monthly|monatlich|miesięczn\p{L}{1,3}|mensuel(?:le)?|mensual(?:es)?)(?!\p{L})/iu;

/** Quotients of unlike figures: so many things per other thing, or per month where the passage counts per year. */
function* rates(claim: Quantity, sentence: StatingSentence, known: Quantities): Generator<Candidate> {
  const words = knownWords(sentence.text);
  const units = unitsNamed(sentence.text);
  const isMean = AVERAGE.test(sentence.text);
  const isNamed = ({ nouns }: Quantity) => nouns.some((noun) => words.has(noun));
  for (const top of known.quantities) {
    if (top.dimension !== claim.dimension) continue;
    for (const value of top.values) {
      if (isMean) yield* quotients(top, value);
      if (claim.dimension !== 'count' || isNamed(top)) yield* perPeriod(top, value);
    }
  }

  function* quotients(top: Quantity, value: number): Generator<Candidate> {
    for (const below of known.quantities) {
      if (below === top || below.values.length === 0 || isYear(below)) continue;
      const unit = units.find(({ dimension }) => dimension === below.dimension);
      if (!isNamed(below) && !unit && !(claim.dimension === 'count' && isNamed(top))) continue;
      const by = (below.values[0] as number) / (unit?.factor ?? below.factor);
      yield { value: value / by, rounds: true };
    }
  }

  function* perPeriod(top: Quantity, value: number): Generator<Candidate> {
    const stated = periodsOf(known.sentences[top.sentence] ?? '');
    const wanted = periodsOf(sentence.text);
    const years = known.points.filter((point) => point.sentence === top.sentence).map(({ year }) => year);
    const gap = Math.max(...years) - Math.min(...years);
    if (wanted.has(YEAR) && gap > 0) yield { value: value / gap, rounds: true };
    for (const [longer, shorter, count] of CALENDAR) {
      if (stated.has(longer) && wanted.has(shorter)) yield { value: value / count, rounds: true };
      if (stated.has(shorter) && wanted.has(longer)) yield { value: value * count, rounds: true };
    }
  }
}

function periodsOf(text: string): Set<number> {
  const found = new Set(
    unitsNamed(text)
      .filter(({ dimension }) => dimension === 'time')
      .map(({ factor }) => factor),
  );
  if (YEARLY.test(text)) found.add(YEAR);
  if (MONTHLY.test(text)) found.add(YEAR / 12);
  return found;
}

const UNIT_DIMENSIONS: Dimension[] = ['count', 'time', 'length', 'area', 'volume', 'mass', 'money'];

/** Percentages, shares and multiples of figures of the same dimension, and of the shares of the passage. */
function* proportions(claim: Quantity, sentence: StatingSentence, known: Quantities): Generator<Candidate> {
  const { dimension } = claim;
  const scale = dimension === 'percent' ? 100 : 1;
  if (dimension !== 'times') yield* statedParts(scale, known);
  const isChange = CHANGE.test(sentence.text);
  const words = knownWords(sentence.text);
  for (const pair of namedPairs(claim, [...UNIT_DIMENSIONS, 'percent'], sentence, known)) {
    const [a = 0, b = 0] = pair.map(({ values }) => values.at(-1));
    const [low, high] = a < b ? [a, b] : [b, a];
    if (low <= 0) continue;
    if (pair[0].dimension === 'percent' && dimension === 'percent') yield { value: high - low, rounds: true };
    const changes = isChange ? [(high - low) / low, (high - low) / high] : [];
    const isWhole = pair[0].dimension === 'count' && !isPartOf(pair, known);
    const named = pair.filter((one) => isNamedIn(words, one));
    const parts = isWhole ? (named.length === 1 ? named : pair).map(({ values }) => values.at(-1) ?? 0) : [];
    const ratios =
      dimension === 'times'
        ? [high / low, low / high]
        : [low / high, ...parts.map((part) => part / (low + high)), ...changes];
    for (const ratio of ratios) yield { value: ratio * scale, rounds: true };
  }
}

/** The shares and percentages of a passage, and what is left of the whole. */
function* statedParts(scale: number, { quantities }: Quantities): Generator<Candidate> {
  for (const { dimension, values } of quantities) {
    if (dimension !== 'percent' && dimension !== 'share') continue;
    for (const value of values) {
      const part = dimension === 'percent' ? value / 100 : value;
      yield { value: part * scale, rounds: true };
      yield { value: (1 - part) * scale, rounds: true };
    }
  }
}

/** Times between two dates, hours of opening, and how many days of the week are named. */
function* periods(claim: Quantity, sentence: StatingSentence, known: Quantities): Generator<Candidate> {
  if (claim.factor >= DAY) {
    for (const [i, a] of known.points.entries())
      for (const b of known.points.slice(i + 1)) yield* between(a, b, claim.factor);
    for (const year of sentence.years)
      for (const point of known.points) yield { value: Math.abs(year - point.year) * YEAR, rounds: false };
  }
  for (const text of known.sentences) {
    for (const value of openingHours(text)) yield { value, rounds: true };
    const days = weekdays(text).reduce((sum, one) => sum + one.days, 0);
    if (days > 1) yield { value: days * DAY, rounds: false };
  }
}

function* between(a: PointInTime, b: PointInTime, unit: number): Generator<Candidate> {
  if (a.year !== b.year) yield { value: Math.abs(a.year - b.year) * YEAR, rounds: false };
  if (a.day === null || b.day === null) return;
  const length = (Math.abs(a.day - b.day) * DAY) / unit;
  yield { value: length * unit, rounds: true };
  yield { value: Math.floor(length) * unit, rounds: false };
  // The first and the last day may both count.
  if (unit === DAY) yield { value: length * unit + DAY, rounds: false };
}

const LIST = /[^,;:.()]{1,60}(?:, [^,;:.()]{1,60}){1,10},? (?:and|und|i|oraz|et|y) [^,;:.()]{1,60}/giu;

/** How many items a sentence lists: `A, B and C`. */
function* listed({ sentences }: Quantities): Generator<Candidate> {
  for (const text of sentences) {
    yield { value: weekdays(text).reduce((sum, one) => sum + one.days, 0), rounds: false };
    for (const [list] of text.matchAll(LIST))
      yield {
        value: list.split(',').filter((item) => !/^ (?:and|und|i|oraz|et|y) /i.test(item)).length + 1,
        rounds: false,
      };
  }
}
