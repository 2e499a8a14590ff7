import { knownWords, type KnownWords } from './known-words.js';
import type { Quantities, Quantity } from './quantities.js';
import type { Dimension } from './units.js';

/** The sentence that states a figure. */
export interface StatingSentence {
  text: string;
  quantities: Quantity[];
  years: number[];
}

/** Two figures that a sentence may add, subtract or compare. */
export type Pair = [Quantity, Quantity];

/** Pairs of figures of a dimension that belong together: of a sentence, of neighbours if both have a unit, or of the same things. */
export function* pairs(claim: Quantity, dimension: Dimension, { quantities }: Quantities): Generator<Pair> {
  const isBare = (one: Quantity) => one.dimension === 'count' && one.nouns.length === 0;
  const own = quantities
    .filter((one) => one.values.length > 0 && !isYear(one))
    .flatMap((one) => {
      if (one.dimension === dimension) return one;
      // Ages and prices often lack their unit: `the oldest was 81, the youngest 18`.
      if (dimension !== claim.dimension || !isBare(one)) return [];
      return { ...one, values: one.values.map((value) => value * claim.factor) };
    });
  for (const [i, a] of own.entries())
    for (const b of own.slice(i + 1)) {
      const apart = Math.abs(a.sentence - b.sentence);
      const isSameThing = a.nouns[0] !== undefined && knownWords(a.nouns[0]).has(b.nouns[0] ?? '');
      if (apart === 0 || (dimension !== 'count' && apart === 1) || isSameThing) yield [a, b];
    }
}

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
  const all = dimensions.flatMap((dimension) => [
    ...pairs(claim, dimension, known),
    ...quotedPairs(dimension, sentence, known),
  ]);
  if (isPrecise(claim)) return all;
  const words = knownWords(sentence.text);
  const named = (pair: Pair) => pair.filter((one) => isNamedIn(words, one)).length;
  const most = Math.max(0, ...all.map(named));
  return all.filter((pair) => named(pair) === most || isRange(pair));
}

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

/** Returns whether the second figure is a part of the first. */
export function isPartOf([a, b]: Pair, { sentences }: Quantities): boolean {
  const text = sentences[a.sentence] ?? '';
  return a.sentence === b.sentence && PART_OF.test(text);
}

/** Figures of three digits or more rarely agree by chance. */
export const isPrecise = ({ values, step }: Quantity): boolean =>
  String(Math.round((values[0] ?? 0) / step)).replace(/0+$/, '').length >= 3;

/** A figure that is more likely a year than a count. */
export const isYear = ({ dimension, text, nouns }: Quantity): boolean =>
  dimension === 'count' &&
  /^(?:1\d{3}|20\d{2})$/.test(text) &&
  (nouns[0] === undefined || /^(?:roku|fue|war|was|and|und|hat)$/.test(nouns[0]));
