import type { StatingSentence } from './pairs.js';
import type { Quantities, Quantity } from './quantity.js';
import type { Dimension } from './dimension.js';
import { MEASURED, YEAR } from './units.js';

/** Returns whether a figure counts nothing that it names. */
export const isBareCount = ({ dimension, nouns }: Quantity): boolean =>
  dimension === 'count' && nouns.length === 0;

/** Returns a measured figure as a count, if a passage states its unit only once: `nitrate (mg/l): 12, 18`. */
export function withoutUnit(claim: Quantity, { quantities }: Quantities): Quantity | null {
  const { dimension, factor, step, values } = claim;
  if (!MEASURED.includes(dimension) || dimension === 'time') return null;
  if (quantities.some((one) => one.dimension === dimension)) return null;
  const own = values.map((value) => value / factor);
  return { ...claim, dimension: 'count', factor: 1, step: step / factor, values: own, nouns: [] };
}

const LARGE = 100_000;
/** Figures that may leave out their unit: `ten more`, `450 less`. */
const COMPARED = /^(?:more|less|fewer|mehr|weniger|więcej|mniej|plus|moins|más|menos)$/iu;

/** Returns whether a figure compares without a unit: `ten more`. */
export const isComparison = ({ nouns }: Quantity): boolean => COMPARED.test(nouns[0] ?? '');

/** Returns the measures that a count without a noun may leave out: `each kilometre cost 20 million`, `ten more`. */
export function unitsLeftOut(
  claim: Quantity,
  sentence: StatingSentence,
  { quantities }: Quantities,
): Quantity[] {
  const [thing] = claim.nouns;
  // `Of 80 terabytes, about 49 are used`.
  const isApproximate =
    claim.bound === 'about' && sentence.quantities.some((one) => MEASURED.includes(one.dimension));
  if (thing !== undefined && !COMPARED.test(thing) && !isApproximate) return [];
  if (thing === undefined && claim.values.some((value) => value >= LARGE))
    return [{ ...claim, dimension: 'money' }];
  const elsewhere = thing === undefined || isApproximate ? sentence.quantities : quantities;
  // `He is now 75.`
  const isAge =
    thing === undefined && quantities.some((one) => one.dimension === 'time' && one.factor === YEAR);
  const age: Quantity[] =
    isAge && claim.values.every((value) => value < OLDEST) ? [inUnit(claim, 'time', YEAR)] : [];
  const measured = elsewhere.filter(({ dimension }) => MEASURED.includes(dimension));
  const units = [...new Map(measured.map((one) => [`${one.dimension} ${one.factor}`, one])).values()];
  return [
    ...age,
    ...units.slice(0, FEW_UNITS).map(({ dimension, factor }) => inUnit(claim, dimension, factor)),
  ];
}

const OLDEST = 120;
const inUnit = (claim: Quantity, dimension: Dimension, factor: number): Quantity => ({
  ...claim,
  dimension,
  factor,
  values: claim.values.map((value) => value * factor),
  step: claim.step * factor,
});
const FEW_UNITS = 6;
