import { pointerTo } from '#contracts/json-pointer.js';
import { isObject } from '#contracts/lenient.js';

/** A JSON Schema of arguments or of a result. Without zod, because the studio loads it. */
export type Schema = Record<string, unknown>;

/** Marks a parameter that takes the name of an input file (`input`) or the ID of a collection (`collection`), for forms. */
export const PICKS = 'x-picks';

/** Returns the properties of a schema, by name. */
export const propertiesOf = (schema: Schema): Record<string, Schema> =>
  (schema['properties'] as Record<string, Schema> | undefined) ?? {};

/** Returns the JSON type of a schema; `any` if it is not one type. */
export const typeOf = (schema: Schema): string =>
  typeof schema['type'] === 'string' ? schema['type'] : 'any';

/** Returns whether a value of one type can be passed where the other is wanted. */
export const typesFit = (given: string, wanted: string): boolean =>
  given === 'any' || wanted === 'any' || given === wanted || (wanted === 'number' && given === 'integer');

/** Nesting to which `placesFor` looks. */
const MAX_DEPTH = 3;

/**
 * Returns JSON Pointers into a result whose values fit a parameter, shallow ones first; the whole result is the last.
 *
 * @param output schema of the result
 * @param wanted schema of the parameter
 */
export function placesFor(output: Schema, wanted: Schema): string[] {
  const places: string[] = [];
  let level: [path: string, schema: Schema][] = [['', output]];
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    level = level.flatMap(([path, schema]) =>
      Object.entries(propertiesOf(schema))
        .filter(([, inner]) => !('x-for-people' in inner))
        .map(([name, inner]): [string, Schema] => [pointerTo(path, name), inner]),
    );
    places.push(...level.filter(([, schema]) => fits(schema, wanted)).map(([path]) => path));
  }
  return fits(output, wanted) ? [...places, ''] : places;
}

const fits = (given: Schema, wanted: Schema): boolean => typesFit(typeOf(given), typeOf(wanted));

/**
 * Returns the number of entries of a result that is a list, or whose last list is what it is about, such as the rows of a
 * table; undefined if it is or contains a text.
 */
export function entriesIn(result: unknown): number | undefined {
  if (Array.isArray(result)) return result.length;
  const values = isObject(result) ? Object.values(result) : [];
  if (values.some((value) => typeof value === 'string')) return undefined;
  return values.findLast(Array.isArray)?.length;
}
