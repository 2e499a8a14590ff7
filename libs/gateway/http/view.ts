import type { z } from 'zod';

/** Name of a row's field for a name of the API: `createdAt` for `created_at`. */
type FieldOf<Key> = Key extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<FieldOf<Tail>>}` : Key;
/** Form of a value for comparison; a row has strings where the schema has an enumeration. */
type ShownValue<Value> = Value extends Date | string
  ? string
  : Value extends readonly string[]
    ? string[]
    : Value;

/** Fields of a view that the row lacks, or has in another form; the others are optional. */
type More<View, Row> = Partial<View> & {
  [
    Key in keyof View as FieldOf<Key> extends keyof Row
      ? ShownValue<Row[FieldOf<Key>]> extends ShownValue<View[Key]>
        ? never
        : Key
      : Key
  ]: View[Key];
};

/**
 * Returns the API view of a row: the fields of the schema and no other, with dates in ISO 8601.
 *
 * @param more fields that do not come from the row's field of the same name
 */
export function view<Schema extends z.ZodObject, Row extends object>(
  schema: Schema,
  row: Row,
  ...[more]: Record<never, never> extends More<z.infer<Schema>, Row>
    ? [more?: More<z.infer<Schema>, Row>]
    : [more: More<z.infer<Schema>, Row>]
): z.infer<Schema> {
  const given = (more ?? {}) as Record<string, unknown>;
  const fields = row as Record<string, unknown>;
  const shown = Object.keys(schema.shape).map((key) => {
    const value = key in given ? given[key] : fields[fieldOf(key)];
    return [key, value instanceof Date ? value.toISOString() : value];
  });
  return Object.fromEntries(shown) as z.infer<Schema>;
}

const fieldOf = (key: string): string =>
  key.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
