import type { Quantity } from './quantity.js';
import type { Dimension } from './dimension.js';
import { MEASURED } from './units.js';

const IS_YEAR = /^(?:1\d{3}|20\d{2})$/;
const LINKED =
  /^(?:, | ?(?:to|and|or|against|versus|instead of(?: the usual)?|rather than|bis|und|oder|auf|statt(?: (?:bisher|früher|zuvor))?|gegenüber|do|na|i|lub|(?:and|or|und|oder|i|et|y) (?:up to|at most|höchstens|maximal|mindestens|bis zu|najwyżej|maksymalnie|au plus|como máximo)|zamiast|wobec|à|a|et|ou|contre|au lieu de|y|o|frente a|en vez de|–|-|x|×|\/) ?)$/iu;

/** Gives a figure the unit of the next one, if it has none: `from 30 to 90 km`. */
export function shareUnits(quantities: Quantity[], text: string): Quantity[] {
  const found: Quantity[] = [];
  // From the last one, so that each of `6, 8 and 11 km` has the unit of the next.
  for (const [i, one] of [...quantities.entries()].reverse()) {
    const next = found[0];
    const isLinked = next && MEASURES.has(next.dimension) && LINKED.test(text.slice(one.end, next.at));
    if (one.dimension !== 'count') found.unshift(one);
    // In `recall 0.82, 9 ms` the comma separates unlike figures, in `6, 8 and 11 km` like ones.
    else if (isLinked && text.slice(one.end, next.at) === ', ')
      found.unshift(one, { ...inUnitOf(next, one, scaleOf(next)), isImplied: true });
    else if (isLinked) found.unshift(inUnitOf(next, one, scaleOf(next)));
    else found.unshift(...withEarlierUnit(one, quantities.slice(0, i), text));
  }
  return found;
}

/** Returns a figure that leaves its unit to one before it: with that unit, or both ways if it is not clear. */
function withEarlierUnit(one: Quantity, earlier: Quantity[], text: string): Quantity[] {
  const measured = earlier.findLast(
    ({ dimension, sentence }) => sentence >= one.sentence - 1 && MEASURES.has(dimension),
  );
  if (!measured || IS_YEAR.test(one.text)) return [one];
  // `95 %, … 11.2 million` are not percent.
  if (measured.dimension === 'percent' && one.values.some((value) => value > MOST_PERCENT)) return [one];
  if (measured.sentence === one.sentence && isElliptical(one, text)) return [inUnitOf(measured, one)];
  const isBare = one.nouns.length === 0 || NO_THING.test(text.slice(one.end, one.end + 12));
  return isBare ? [one, { ...inUnitOf(measured, one), isImplied: true }] : [one];
}

const MOST_PERCENT = 1_000;
/** Behind a figure that counts nothing named there: `8,350 the year before`. */
const NO_THING =
  /^ (?:more|less|fewer|mehr|weniger|więcej|mniej|plus|moins|más|menos|bei|the|a|an|in|on|at|last|this|for|im|am|vor|zuvor|w|na|rok|en|el|l['’]|un|une|pour)(?![\p{L}])/iu;
const MEASURES = new Set<Dimension>([...MEASURED, 'percent']);
/** Before a figure that has the unit of the one before it: `900 hectares … another 500`. */
const MORE_OF =
  /(?<!\p{L})(?:another|a further|weitere[rn]?|kolejn\p{L}{1,3}|dalsz\p{L}{1,3}|of which|davon|w tym|z czego|dont|de l[oa]s que|de los cuales) $/iu;

/** Returns whether a figure without a unit has that of the figure before it. */
function isElliptical({ at, end, text: words }: Quantity, text: string): boolean {
  const before = text.slice(Math.max(0, at - 20), at);
  const isScaled = end > at + words.length && !/^ \p{L}{4}/u.test(text.slice(end, end + 5));
  return isScaled || A_WEEK.test(text.slice(end, end + 16)) || MORE_OF.test(before);
}

/** `35 a week` after `seven hours a day`. */
const A_WEEK =
  /^ (?:an? (?:day|week|month|year)|per (?:day|week|month|year)|(?:in der|pro|die) Woche|(?:im|pro) (?:Jahr|Monat)|(?:wöchent|monat|jähr)lich|par (?:jour|semaine|mois|an)|al (?:día|mes|año)|a la semana|tygodniowo|miesięcznie|rocznie|w tygodniu|na (?:rok|miesiąc))(?!\p{L})/iu;

/** The scale of a figure such as `6.9 million`. */
const scaleOf = ({ values, keys, factor }: Quantity): number =>
  (values[0] ?? 0) / factor / Number(keys[0] ?? 0) || 1;

/** Of `from 11.2 to 6.9 million` the first figure may be in millions, too. */
function inUnitOf({ dimension, factor }: Quantity, one: Quantity, scale = 1): Quantity {
  const values = one.values.flatMap((value) => [...new Set([value * factor, value * factor * scale])]);
  return { ...one, dimension, factor, values, step: one.step * factor };
}
