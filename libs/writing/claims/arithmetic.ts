import { mayBeWritten } from './approximation.js';
import { isAboutChange, isAboutRate, isMean, isThereAndBack, isTotal } from './arithmetic-words.js';
import { listed, periods, periodsOf } from './arithmetic-periods.js';
import { knownWords } from './known-words.js';
import {
  type Candidate,
  isNamedIn,
  isPartOf,
  isPrecise,
  isYear,
  namedPairs,
  type Pair,
  pairs,
  significant,
  type StatingSentence,
} from './pairs.js';
import { isBareCount, isComparison, unitsLeftOut, withoutUnit } from './readings.js';
import { countsOther, isPeople } from './stated.js';
import type { Quantities, Quantity } from './quantity.js';
import type { Dimension } from './dimension.js';
import { DAY, MEASURED, unitsNamed, YEAR } from './units.js';

/** Figures of a passage that are combined with each other; more take too long. */
const MOST = 300;

/**
 * Returns whether a figure follows from figures of a passage by simple arithmetic: a sum, difference, product, ratio,
 * percentage or average, a period between dates or hours, another unit, a count of listed items, a rounded value.
 */
export function follows(claim: Quantity, sentence: StatingSentence, all: Quantities): boolean {
  const known = { ...all, quantities: all.quantities.slice(0, MOST), points: all.points.slice(0, MOST) };
  if (claim.dimension === 'share' && claim.values.length === 0) return isMajority(claim, sentence, known);
  const inUnits = claim.dimension === 'count' ? unitsLeftOut(claim, sentence, known) : [];
  if ([claim, ...inUnits].some((one) => isCalculated(one, sentence, known))) return true;
  const bare = withoutUnit(claim, known);
  if (!bare) return false;
  return isCalculated(bare, sentence, { ...known, quantities: known.quantities.filter(isBareCount) });
}

function isCalculated(claim: Quantity, sentence: StatingSentence, known: Quantities): boolean {
  for (const { value, rounds, isDerived = true } of candidates(claim, sentence, known)) {
    const isSame = claim.values.some((stated) => isWritten(claim, value, stated, rounds, isDerived));
    if (isSame) return true;
  }
  return false;
}

/** `About half an hour` may be 36 minutes. */
const LOOSE_TIME = 0.2;
/** A percentage is rounded to a few points at most. */
const POINTS = 2.5;
const pointsOf = ({ bound }: Quantity, stated: number): number =>
  bound === 'above' && stated % 10 === 0 ? 2 * POINTS : stated % 5 === 0 ? POINTS : 1;

const isRound = ({ values, step }: Quantity): boolean => significant((values[0] ?? 0) / step) === 1;

function isWritten(
  claim: Quantity,
  value: number,
  stated: number,
  rounds: boolean,
  isDerived: boolean,
): boolean {
  const isNear = claim.dimension !== 'percent' || Math.abs(value - stated) <= pointsOf(claim, stated);
  const step = rounds ? claim.step : null;
  const isShare = ['share', 'times', 'percent', 'time'].includes(claim.dimension);
  const isSpokenTime = claim.dimension === 'time' && claim.bound === 'about' && !/\d/.test(claim.text);
  if (isSpokenTime && Math.abs(value - stated) <= stated * LOOSE_TIME) return true;
  return (
    isNear &&
    mayBeWritten(value, stated, {
      bound: claim.bound,
      step,
      isRound: isRound(claim),
      isDerived: isDerived && !isShare,
    })
  );
}

/** `Most of` follows from any two figures of which the sentence names one. */
function isMajority(claim: Quantity, sentence: StatingSentence, known: Quantities): boolean {
  const words = knownWords(sentence.text);
  return UNIT_DIMENSIONS.some((dimension) =>
    [...pairs(claim, dimension, known)].some((pair) => pair.some((one) => isNamedIn(words, one))),
  );
}

function* candidates(claim: Quantity, sentence: StatingSentence, known: Quantities): Generator<Candidate> {
  const { dimension } = claim;
  yield* sameMeasure(claim, known);
  if (dimension === 'percent' || dimension === 'share' || dimension === 'times') {
    yield* proportions(claim, sentence, known);
    if (dimension === 'times') yield* sums({ ...claim, dimension: 'count' }, sentence, known);
    if (dimension === 'times') yield* portions(claim, sentence, known);
    return;
  }
  yield* sums(claim, sentence, known);
  yield* products(claim, sentence, known);
  yield* rates(claim, sentence, known);
  if (dimension === 'time') yield* periods(claim, sentence, known);
  if (dimension === 'count') yield* listed(known);
  if (dimension === 'count') yield* portions(claim, sentence, known);
}

const MILLISECONDS = /_ms(?![\p{L}\p{N}])|Ms(?![\p{L}\p{N}])|millis/iu;

/** Figures of the same dimension, in another unit or rounded. */
function* sameMeasure(claim: Quantity, { quantities, sentences }: Quantities): Generator<Candidate> {
  // `AGING_MS (5000)`.
  if (claim.dimension === 'time' && sentences.some((text) => MILLISECONDS.test(text)))
    for (const { values } of quantities.filter(isBareCount))
      for (const value of values) yield { value: value / 1_000, rounds: false };
  for (const one of quantities)
    if (one.dimension === claim.dimension && !countsOther(claim, one, quantities))
      for (const value of one.values)
        yield {
          value,
          isDerived: false,
          rounds: one.factor !== claim.factor || claim.step < claim.factor || claim.step > 1,
        };
}

/** Returns whether one of two counts is that of the things in the claim, and the other is not: 14 stations and 3 tunnels. */
function isSumOfOthers(claim: Quantity, pair: Pair, { quantities }: Quantities): boolean {
  const [thing] = claim.nouns;
  if (claim.dimension !== 'count' || thing === undefined) return false;
  const named = knownWords(claim.nouns.join(' '));
  if (pair.every((one) => isNamedIn(named, one))) return false;
  const words = knownWords(thing);
  const isOther =
    !pair.some((one) => isNamedIn(named, one)) && (claim.values[0] ?? 0) <= FEW_THINGS && !isPeople(thing);
  if (
    isOther &&
    quantities.some(
      ({ dimension, nouns: [noun] }) => dimension === 'count' && noun !== undefined && words.has(noun),
    )
  )
    return true;
  const same = pair.filter(({ nouns }) => nouns[0] !== undefined && words.has(nouns[0]));
  const isApart = pair[0].sentence !== pair[1].sentence;
  return same.length === 1 && (isApart || pair.every(({ nouns }) => nouns.length > 0)) && !isPeople(thing);
}

/** Small counts agree with sums of others by chance. */
const FEW_THINGS = 12;

function* sums(claim: Quantity, sentence: StatingSentence, known: Quantities): Generator<Candidate> {
  const isDifference = isAboutChange(sentence.text) || isPrecise(claim) || claim.dimension !== 'count';
  const repeated = new Set(sentence.quantities.flatMap(({ keys }) => keys));
  for (const pair of namedPairs(claim, [claim.dimension], sentence, known)) {
    const [a, b] = pair;
    const isSum = !isSumOfOthers(claim, pair, known);
    for (const one of a.values)
      for (const other of b.values) {
        if (isSum) yield { value: one + other, rounds: false };
        const isCompared = pair.some(isComparison);
        // `17 of the 31 came, fourteen were missing`: the sentence states both figures.
        const areRepeated = pair.every(({ keys }) => keys.some((key) => repeated.has(key)));
        if (isDifference || isCompared || areRepeated || isPartOf(pair, known))
          yield { value: Math.abs(one - other), rounds: false };
      }
  }
  const isAll = isTotal(sentence.text);
  const own = known.quantities.filter((one) => one.dimension === claim.dimension && one.values.length > 0);
  for (const [i, first] of own.entries()) {
    let total = first.values[0] as number;
    let previous = first;
    for (const next of own.slice(i + 1)) {
      if (next.sentence !== first.sentence || (!isAll && isSumOfOthers(claim, [previous, next], known)))
        break;
      previous = next;
      total += next.values[0] as number;
      yield { value: total, rounds: false };
    }
  }
}

/** A count of things of a size, a share of a quantity, a way there and back. */
function* products(
  claim: Quantity,
  sentence: StatingSentence,
  { quantities, sentences }: Quantities,
): Generator<Candidate> {
  const words = knownWords(sentence.text);
  const isLong = significant((claim.values[0] ?? 0) / claim.step) >= 2;
  const isCounted =
    isPrecise(claim) || claim.bound !== null || isTotal(sentence.text) || isAboutRate(sentence.text);
  for (const size of quantities) {
    if (size.dimension !== claim.dimension) continue;
    const isEach = claim.dimension === 'count' && isAboutRate(sentences[size.sentence] ?? '');
    for (const by of quantities) {
      if (by === size || Math.abs(size.sentence - by.sentence) > FAR) continue;
      const isGroups = by.end < size.at && OF_SIZE.test(textBetween(by, size, sentences));
      const isProduct =
        claim.dimension === 'count'
          ? size.sentence === by.sentence && (isEach || isGroups)
          : isCounted || (isLong && isNamedIn(words, by));
      for (const value of size.values)
        for (const factor of by.values) {
          // At 2.50 an acre, forty acres cost a hundred.
          if (
            claim.dimension === 'money' &&
            SIZES.has(by.dimension) &&
            isAboutRate(sentences[size.sentence] ?? '')
          )
            yield { value: (value * factor) / by.factor, rounds: true };
          if (by.dimension === 'count' && isProduct) yield { value: value * factor, rounds: false };
          const part = by.dimension === 'percent' ? factor / 100 : by.dimension === 'share' ? factor : null;
          if (by.dimension === 'times' && factor > 0) {
            yield { value: value * factor, rounds: true };
            yield { value: value / factor, rounds: true };
          }
          if (part === null || part > 1) continue;
          if (isAboutChange(sentences[by.sentence] ?? '') && isPrecise(claim))
            for (const changed of [value / (1 + part), value / (1 - part), value * (1 + part)])
              yield { value: changed, rounds: true };
          yield { value: value * part, rounds: true };
          // `35,000, half of the cost`.
          if (isTotal(sentence.text) && part > 0 && size.sentence === by.sentence)
            yield { value: value / part, rounds: true };
          yield { value: value * (1 - part), rounds: true };
        }
    }
    for (const value of size.values) {
      if (isThereAndBack(sentence.text)) yield { value: value * 2, rounds: false };
      if (claim.dimension !== 'count') yield* multiples(value, sentence);
    }
  }
}

const FAR = 4;
const OF_SIZE = /^ \p{L}{3,20} (?:of|de|mit|mit je|zu|zu je|po|à|con) $/iu;
const textBetween = (a: Quantity, b: Quantity, sentences: string[]): string => {
  const text = sentences[a.sentence] ?? '';
  const from = text.indexOf(a.text) + a.text.length;
  return a.sentence === b.sentence ? text.slice(from, text.indexOf(b.text, from)) : '';
};

/** So many times the size, where the sentence says how many: `two loaves cost 13`. */
function* multiples(value: number, { quantities }: StatingSentence): Generator<Candidate> {
  for (const { dimension, values } of quantities)
    if (dimension === 'count') for (const count of values) yield { value: value * count, rounds: false };
}

/** How often a size goes into a whole (`4,500 jars of 500 g`), and the count by which the sentence multiplies a size. */
function* portions(
  claim: Quantity,
  sentence: StatingSentence,
  { quantities, sentences }: Quantities,
): Generator<Candidate> {
  const [thing = ''] = claim.nouns;
  const naming = new Set(
    sentences.flatMap((text, n) => (thing !== '' && knownWords(text).has(thing) ? [n] : [])),
  );
  const bare = unitsNamed(sentence.text).filter(({ dimension }) => dimension === 'time');
  for (const size of quantities) {
    if (size.dimension === 'count' || size.dimension === 'year') continue;
    for (const { factor } of size.dimension === 'time' ? bare : [])
      yield { value: factor / (size.values[0] ?? 1), rounds: false };
    const isNamed = naming.has(size.sentence);
    // `Measures every 20 minutes and sends every 2 hours`.
    for (const whole of quantities)
      if (
        whole.sentence === size.sentence &&
        whole.dimension === size.dimension &&
        MEASURED.includes(size.dimension)
      )
        yield { value: (whole.values[0] ?? 0) / (size.values[0] ?? 1), rounds: false };
    const wholes = [...(isNamed ? quantities : []), ...sentence.quantities];
    for (const whole of wholes)
      if (whole !== size && whole.dimension === size.dimension)
        for (const value of whole.values) yield { value: value / (size.values[0] ?? 1), rounds: false };
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
  [3_600, 60, 60],
  [60, 1, 60],
];
const SIZES = new Set<Dimension>(['length', 'area', 'volume', 'mass']);

/** Quotients of unlike figures: so many things per other thing, or per month where the passage counts per year. */
function* rates(claim: Quantity, sentence: StatingSentence, known: Quantities): Generator<Candidate> {
  const words = knownWords(sentence.text);
  const units = unitsNamed(sentence.text);
  const measured = new Set(sentence.quantities.map(({ dimension }) => dimension));
  // In `a kilo costs 17 euros` the unit has no figure.
  const hasBareUnit = units.some(({ dimension }) => SIZES.has(dimension) && !measured.has(dimension));
  const isAverage = isMean(sentence.text);
  const isRate = isAboutRate(sentence.text) || hasBareUnit;
  const isNamed = ({ nouns }: Quantity) => nouns.some((noun) => words.has(noun));
  for (const top of known.quantities) {
    const isTimes = claim.dimension === 'count' && top.dimension === 'times';
    if (top.dimension !== claim.dimension && !isTimes) continue;
    for (const value of top.values) {
      if (isRate) yield* quotients(top, value);
      if (claim.dimension !== 'count' || isNamed(top) || isTimes) yield* perPeriod(top, value);
    }
  }

  function* quotients(top: Quantity, value: number): Generator<Candidate> {
    for (const below of known.quantities) {
      if (below === top || below.values.length === 0 || isYear(below)) continue;
      const unit = units.find(({ dimension }) => dimension === below.dimension);
      const isMeasure = isAverage && claim.dimension !== 'count' && below.dimension === 'count';
      if (!isMeasure && !isNamed(below) && !unit && !(claim.dimension === 'count' && isNamed(top))) continue;
      const by = (below.values[0] as number) / (unit?.factor ?? below.factor);
      yield { value: value / by, rounds: true };
    }
  }

  function* perPeriod(top: Quantity, value: number): Generator<Candidate> {
    const stated = periodsOf(known.sentences[top.sentence] ?? '');
    const wanted = periodsOf(sentence.text);
    const years = known.points.flatMap((point) =>
      point.sentence === top.sentence ? (point.year ?? []) : [],
    );
    const gap = years.length > 0 ? Math.max(...years) - Math.min(...years) : 0;
    if (wanted.has(YEAR) && gap > 0) yield { value: value / gap, rounds: true };
    for (const [longer, shorter, count] of CALENDAR) {
      if (stated.has(longer) && wanted.has(shorter)) yield { value: value / count, rounds: true };
      if (stated.has(shorter) && wanted.has(longer)) yield { value: value * count, rounds: true };
    }
  }
}

const UNIT_DIMENSIONS: Dimension[] = ['count', ...MEASURED];

/** Percentages, shares and multiples of figures of the same dimension, and of the shares of the passage. */
function* proportions(claim: Quantity, sentence: StatingSentence, known: Quantities): Generator<Candidate> {
  const { dimension } = claim;
  const scale = dimension === 'percent' ? 100 : 1;
  yield* statedParts(scale, known);
  const isChange = isAboutChange(sentence.text);
  const words = knownWords(sentence.text);
  for (const pair of namedPairs(claim, [...UNIT_DIMENSIONS, 'percent'], sentence, known)) {
    const [a = 0, b = 0] = pair.map(({ values }) => values.at(-1));
    const [low, high] = a < b ? [a, b] : [b, a];
    if (low <= 0) continue;
    if (pair[0].dimension === 'percent' && dimension === 'percent')
      for (const value of [high - low, high + low, 100 - high - low]) yield { value, rounds: true };
    const changes = isChange ? [(high - low) / low, (high - low) / high] : [];
    // `46 more than the year before` is a third more than the rest.
    if (MORE.test(sentence.text) && dimension !== 'times') changes.push(low / (high - low));
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

const MORE = /(?<!\p{L})(?:more|mehr|więcej|de plus|más)(?!\p{L})/iu;

/** `Recall 0.974` is 97.4 percent. */
const isRatio = ({ dimension, text }: Quantity): boolean =>
  dimension === 'count' && /^0[.,]\d{2,}$/.test(text);

/** The shares and percentages of a passage, and what is left of the whole. */
function* statedParts(scale: number, { quantities, sentences }: Quantities): Generator<Candidate> {
  // Of half and 30 percent, a fifth is left.
  for (const n of sentences.keys()) {
    const parts = quantities.flatMap(({ dimension, values: [value = 0], sentence }) =>
      sentence !== n ? [] : dimension === 'percent' ? value / 100 : dimension === 'share' ? value : [],
    );
    const rest = 1 - parts.reduce((sum, part) => sum + part, 0);
    if (parts.length > 1 && rest > 0) yield { value: rest * scale, rounds: true };
  }
  const ratios = quantities.filter(isRatio).map(({ values: [value = 0] }) => value);
  for (const [i, ratio] of ratios.entries()) {
    yield { value: ratio * scale, rounds: true };
    for (const other of ratios.slice(i + 1)) yield { value: Math.abs(ratio - other) * scale, rounds: true };
  }
  for (const { dimension, values } of quantities) {
    if (dimension !== 'percent' && dimension !== 'share' && dimension !== 'times') continue;
    for (const value of values) {
      // Four times as much is the same as a quarter; `halved` is a multiple below one.
      if (dimension === 'times' && value > 1) yield { value: scale / value, rounds: true };
      if (dimension === 'times' && value >= 1) continue;
      const part = dimension === 'percent' ? value / 100 : value;
      yield { value: part * scale, rounds: true };
      yield { value: (1 - part) * scale, rounds: true };
    }
  }
}
