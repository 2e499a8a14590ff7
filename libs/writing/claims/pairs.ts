import { isAboutChange } from './arithmetic-words.js';
import { knownWords, type KnownWords } from './known-words.js';
import type { Quantities, Quantity } from './quantity.js';
import type { Dimension } from './dimension.js';
import { YEAR } from './units.js';

/** The sentence that states a figure. */
export interface StatingSentence {
  text: string;
  quantities: Quantity[];
  years: number[];
}

/** A value that follows from figures of a passage, in base units. */
export interface Candidate {
  value: number;
  /** Whether the value may be rounded to the last digit as written. */
  rounds: boolean;
  /** False for a figure of the passage itself, which may be rounded more than one that is calculated; true if left out. */
  isDerived?: boolean;
}

/** Two figures that a sentence may add, subtract or compare. */
export type Pair = [Quantity, Quantity];

/** Pairs of figures of a dimension that belong together: of a sentence or of neighbours, or of the same things. */
export function* pairs(
  claim: Quantity,
  dimension: Dimension,
  { quantities }: Quantities,
  least = 1,
): Generator<Pair> {
  const isBare = (one: Quantity) => one.dimension === 'count' && one.nouns.length === 0;
  const own = quantities
    .filter((one) => one.values.length > 0 && !isYear(one))
    .flatMap((one) => {
      if (one.dimension === dimension) return one;
      // Ages lack their unit: `the oldest was 81, the youngest 18`.
      if (dimension !== 'time' || claim.factor !== YEAR || !isBare(one)) return [];
      return { ...one, values: one.values.map((value) => value * claim.factor) };
    });
  // Measures are compared over longer distances than counts.
  const isCompared = claim.dimension === 'times' && dimension !== 'count';
  const reach = isCompared ? FAR_MEASURE : claim.dimension === 'share' ? FAR_SHARE : least;
  for (const [i, a] of own.entries())
    for (const b of own.slice(i + 1)) {
      const apart = Math.abs(a.sentence - b.sentence);
      if (apart <= reach || isSameThing([a, b])) yield [a, b];
    }
}

const FAR_MEASURE = 6;
const EVERYDAY: Dimension[] = ['count', 'time', 'money', 'percent', 'share', 'times', 'year'];
/** Sentences between a whole and the part that another sentence names. */
const FAR_SHARE = 3;

/**
 * Returns the pairs that a sentence may combine. If it names what some of them count, then only those of which it names
 * most: `a quarter of the patients were children` compares patients and children.
 */
export function namedPairs(
  claim: Quantity,
  dimensions: Dimension[],
  sentence: StatingSentence,
  known: Quantities,
): Pair[] {
  // A change of a measure compares figures that are further apart.
  const isChange = !EVERYDAY.includes(claim.dimension) && isAboutChange(sentence.text);
  const all = dimensions.flatMap((dimension) => [
    ...pairs(claim, dimension, known, isChange ? FAR_SHARE : 1),
    ...quotedPairs(dimension, sentence, known),
  ]);
  if (isPrecise(claim)) return all;
  const words = knownWords(sentence.text);
  const repeated = new Set(sentence.quantities.flatMap(({ keys }) => keys));
  const isRepeated = ({ keys }: Quantity) => keys.some((key) => repeated.has(key));
  // The same word twice names one thing, and a figure that the sentence repeats is no part of the calculation.
  const named = (pair: Pair) =>
    new Set(
      pair
        .flatMap((one) => (isRepeated(one) ? [] : one.nouns.filter((noun) => words.has(noun))))
        .map((noun) => noun.slice(0, 5)),
    ).size;
  const isProportion = claim.dimension === 'percent' || claim.dimension === 'times';
  const isNear = (pair: Pair) => pair[0].sentence === pair[1].sentence;
  const mostOf = (ones: Pair[]) => Math.max(0, ...ones.map(named));
  const [near, far] = [all.filter(isNear), all.filter((pair) => !isNear(pair))];
  const [mostNear, mostFar] = [mostOf(near), mostOf(far)];
  return all.filter(
    (pair) =>
      (named(pair) === (isNear(pair) ? mostNear : mostFar) &&
        (isNear(pair) || isMeasured(pair) || mostFar > 0)) ||
      (claim.dimension === 'times' && isMeasured(pair)) ||
      isSameThing(pair) ||
      isRange(pair) ||
      pair.every(isRepeated) ||
      // `Profit rose by nine percent to 86 million`: the sentence states one of the two figures that it compares.
      (isProportion && pair.some(isRepeated)),
  );
}

/** Two figures that count the same things. */
function isSameThing([a, b]: Pair): boolean {
  const [one, other] = [a.nouns[0], b.nouns[0]];
  if (a.dimension !== 'count' || one === undefined || other === undefined) return false;
  // Most nouns differ in their first letters, which is faster to see.
  return one.slice(0, 2).toLowerCase() === other.slice(0, 2).toLowerCase() && knownWords(one).has(other);
}

/** Counts of two sentences belong together only if the sentence names one. */
const isMeasured = ([{ dimension }]: Pair): boolean => dimension !== 'count';

/** `Between 9 and 26 euros`: the ends may be compared whatever they are called. */
const isRange = ([a, b]: Pair): boolean =>
  a.dimension !== 'count' && b.at > a.at && b.at - a.end <= LONGEST_LINK;
const LONGEST_LINK = 5;

/** Pairs of figures that the sentence repeats, wherever the passage has them: `with 248 children and 180 meals`. */
function quotedPairs(dimension: Dimension, sentence: StatingSentence, { quantities }: Quantities): Pair[] {
  const keys = new Set(sentence.quantities.flatMap((one) => (one.dimension === dimension ? one.keys : [])));
  const quoted = quantities.filter(
    (one) => one.dimension === dimension && one.keys.some((key) => keys.has(key)),
  );
  return quoted.flatMap((a, i) => quoted.slice(i + 1).map((b): Pair => [a, b]));
}

/** Returns whether words name what a figure counts. */
export const isNamedIn = (words: KnownWords, { nouns }: Quantity): boolean =>
  nouns.some((noun) => words.has(noun));

/** Between a whole and a part of it. */
const PART_OF =
  /(?<!\p{L})(?:of (?:which|whom|them|these)|including|davon|darunter|von denen|w tym|z czego|z nich|z których|dont|parmi|de l[oa]s que|de los cuales|de ell[oa]s|incluid[oa]s|entre ell[oa]s)(?!\p{L})/iu;

const LONGEST_OF = 12;
const OF_THE = /^ (?:of the|of|der|von den|z|ze|spośród|des|de los|de las) $/iu;

/** Returns whether the second figure is a part of the first. */
export function isPartOf([a, b]: Pair, { sentences }: Quantities): boolean {
  const text = sentences[a.sentence] ?? '';
  if (a.sentence !== b.sentence) return false;
  // `9 of the 24 panes`.
  const between = b.at - a.end <= LONGEST_OF && b.at > a.end ? text : '';
  return (
    PART_OF.test(text) ||
    OF_THE.test(between.slice(between.indexOf(a.text) + a.text.length, between.indexOf(b.text)))
  );
}

/** Number of digits up to the last one other than zero. */
export const significant = (value: number): number => {
  let rest = Math.round(Math.abs(value));
  while (rest >= 10 && rest % 10 === 0) rest /= 10;
  return String(rest).length;
};

/** Figures of three digits or more rarely agree by chance. */
export const isPrecise = ({ values, step }: Quantity): boolean => {
  const value = (values[0] ?? 0) / step;
  return significant(value) >= 3 || (value >= 100 && significant(value) === 2);
};

/** A figure that is more likely a year than a count. */
export const isYear = ({ dimension, text, nouns }: Quantity): boolean =>
  dimension === 'count' &&
  /^(?:1\d{3}|20\d{2})$/.test(text) &&
  (nouns[0] === undefined || /^(?:roku|fue|war|was|and|und|hat)$/.test(nouns[0]));
