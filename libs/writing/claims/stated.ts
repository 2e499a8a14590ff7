import { knownWords } from './known-words.js';
import { isNamedIn, isPrecise } from './pairs.js';
import type { Quantities, Quantity } from './quantity.js';
import type { Dimension } from './dimension.js';
import { unitsNamed, YEAR } from './units.js';

/**
 * Returns whether the passage states the value of a figure for the same measure.
 *
 * @param beside the other figures of its sentence, whose unit it may share
 */
export function isStated(claim: Quantity, { quantities }: Quantities, beside: Quantity[] = []): boolean {
  return quantities.some((one) => {
    if (one.dimension === claim.dimension) return hasEqual(one, claim);
    const isSameFigure = one.keys.some((key) => claim.keys.includes(key));
    if (!isSameFigure) return false;
    if ([one, claim].every(({ dimension }) => dimension === 'count' || dimension === 'times')) return true;
    // A figure without a unit may have it further behind, or leave it to the figure before it.
    if (one.dimension === 'count') return isBareAge(claim) || mayMeasure(one.nouns, claim.dimension);
    // `30 Hz` are thirty images per second.
    if (one.dimension === 'frequency' && claim.dimension === 'count') return true;
    // `It broke at 412 newtons, well above the 250 required`.
    if (beside.some(({ dimension }) => dimension === one.dimension)) return true;
    return claim.dimension === 'count' && mayMeasure(claim.nouns, one.dimension);
  });
}

const LARGE_COUNT = 100;

/** Returns whether a count is that of other things, while the passage has another count of the things in the claim. */
export function countsOther(claim: Quantity, one: Quantity, quantities: Quantity[]): boolean {
  const [thing] = claim.nouns;
  if (claim.dimension !== 'count' || thing === undefined || one.nouns.length === 0) return false;
  // Two large figures hardly ever agree by chance, so that the words may differ: 180 cows, 180 Friesians.
  if (isPrecise(claim) || (claim.values[0] ?? 0) >= LARGE_COUNT) return false;
  const words = knownWords(claim.nouns.join(' '));
  if (isNamedIn(words, one)) return false;
  // `Employees` and `people` may be the same ones.
  if (isPeople(thing) && one.nouns.some(isPeople)) return false;
  const things = knownWords(thing);
  return quantities.some(
    ({ dimension, nouns }) => dimension === 'count' && nouns[0] !== undefined && things.has(nouns[0]),
  );
}

/** What a figure counts, before it: `max_attempts=5`, `Spare injectors on board: 2`. */
const LABEL = /[=:] ?(\d{1,4})/g;
const LONGEST_LABEL = 40;

/** Returns the words of a label that ends at an offset. */
const labelBefore = (text: string, end: number): string[] =>
  text
    .slice(Math.max(0, end - LONGEST_LABEL), end)
    .split(/[.,;:=()]/)
    .at(-1)
    ?.match(/\p{L}{3,}/gu) ?? [];

/** Returns whether a passage has a count of the things that a figure counts. */
function isCountedOtherwise({ nouns, values }: Quantity, { quantities, sentences }: Quantities): boolean {
  if (nouns.length === 0) return true;
  const words = knownWords(nouns.join(' '));
  const isLabelled = sentences.some((text) =>
    Array.from(text.matchAll(LABEL)).some(
      ({ index, 1: figure }) =>
        !values.includes(Number(figure)) && labelBefore(text, index).some((word) => words.has(word)),
    ),
  );
  return (
    isLabelled ||
    quantities.some(
      (one) =>
        one.dimension === 'count' &&
        (isNamedIn(words, one) || (nouns.some(isPeople) && one.nouns.some(isPeople))),
    )
  );
}

const hasEqual = (a: Quantity, b: Quantity): boolean =>
  [...a.values, ...(a.part === undefined ? [] : [a.part])].some((one) =>
    [...b.values, ...(b.part === undefined ? [] : [b.part])].some((other) => isEqual(one, other)),
  );

const isEqual = (a: number, b: number): boolean => Math.abs(a - b) <= Math.abs(a) * 1e-6;
/** `A twelve-year-old girl`, where a passage may have `a girl of twelve`. */
const isBareAge = ({ dimension, factor, nouns }: Quantity): boolean =>
  dimension === 'time' && factor === YEAR && (nouns.length === 0 || nouns.some((noun) => AGED.test(noun)));
const AGED = /^(?:old|alte?[nrs]?|jährige?[nrs]?|wieku|years?-old)$/iu;
const LONG_NOUN = 4;
const mayMeasure = (nouns: string[], dimension: Dimension): boolean =>
  (nouns[0]?.length ?? 0) < LONG_NOUN ||
  unitsNamed(nouns.join(' ')).some((unit) => unit.dimension === dimension);

/** Nouns that include others, which may be added to them: 18 people and 42 pickers are 60 people. */
const PEOPLE =
  /^(?:people|persons?|employees|workers|staff|vehicles|menschen|personen|leute|beschäftigte[nr]?|mitarbeiter\p{L}{0,5}|fahrzeuge|os[óo]b\p{L}{0,3}|ludzi|pojazd\p{L}{0,3}|personnes|gens|salariés|véhicules|personas|gente|empleados|vehículos)$/iu;

/** Returns whether a noun means people or vehicles of any kind. */
export const isPeople = (noun: string): boolean => PEOPLE.test(noun);

const MOST_COUNTED = 12;
/** Behind the factor of a comparison. */
const COMPARED =
  /^(?: (?:times|mal|razy|fois|veces))? (?:as|so|the|more|larger|higher|bigger|longer|faster|mehr|höher|größer|länger|teurer|schneller|wie|tyle|więcej|wyż|więk|droż|dłuż|szyb|mniej|plus|moins|más|menos)|^(?: (?:times|mal|razy))? \p{L}{3,20}(?:er|szy|sza|sze) /iu;

/**
 * Returns whether a small count may be that of things which the passage names one by one (`two councillors`): a count
 * up to 12 is proven wrong only by another count of the same things.
 *
 * @param behind the sentence behind the count
 */
export function mayBeCounted(claim: Quantity, known: Quantities, behind: string): boolean {
  const { dimension, keys, values } = claim;
  const [value = 0] = values;
  const isSmall = Number.isInteger(value) && value <= MOST_COUNTED;
  if (!isSmall) return false;
  // How often something happens is counted as well, but not how many times as large it is.
  if (dimension === 'times') return keys.includes(String(value)) && !COMPARED.test(behind);
  return dimension === 'count' && !isCountedOtherwise(claim, known);
}
