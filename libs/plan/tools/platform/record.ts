import { z } from 'zod';

/**
 * Makes names unique: a repeated one gets the next free number (`fee`, `fee_2`). Linear.
 *
 * @param key what makes two names the same, such as their lower case
 */
export function distinctNames(names: readonly string[], key = (name: string) => name): string[] {
  const taken = new Set(names.map(key));
  const counts = new Map<string, number>();
  return names.map((name) => {
    let count = (counts.get(key(name)) ?? 0) + 1;
    if (count > 1) while (taken.has(key(`${name}_${count}`))) count += 1;
    counts.set(key(name), count);
    const distinct = count === 1 ? name : `${name}_${count}`;
    taken.add(key(distinct));
    return distinct;
  });
}

/** Describes the values of a record for `recordOf`. */
interface RecordValues<T> {
  /** JSON Schema of one value. */
  schema: Record<string, unknown>;
  isValue: (value: unknown) => value is T;
  /** Pattern of allowed names; without it, all names are allowed. */
  names?: RegExp;
}

/**
 * Returns a schema for an object with any names. `z.record` drops `__proto__`; this keeps it. Values are
 * validated but not changed.
 */
export function recordOf<T>({ schema, isValue, names }: RecordValues<T>): z.ZodType<Record<string, T>> {
  const record = z
    .unknown()
    .superRefine((value, { addIssue }) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value))
        return addIssue({ code: 'invalid_type', expected: 'record', input: value });
      for (const [name, item] of Object.entries(value)) {
        if (names?.test(name) === false)
          addIssue({ code: 'custom', message: 'The name is not valid', path: [name] });
        if (!isValue(item)) addIssue({ code: 'custom', message: 'The value has another type', path: [name] });
      }
    })
    .meta({
      type: 'object',
      propertyNames: { type: 'string', ...(names && { pattern: names.source }) },
      additionalProperties: schema,
    });
  return record as unknown as z.ZodType<Record<string, T>>;
}

type Row = Record<string, unknown>;

/** A row of a table: values by column name. */
export const rowSchema = recordOf({ schema: {}, isValue: (value): value is unknown => value !== undefined });

const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const isRows = (value: unknown): value is Row[] => Array.isArray(value) && value.every(isRow);

/** A table without rows whose columns are known: arguments get it instead of an empty list (P11). */
export interface EmptyTable {
  $columns: string[];
}

const isEmptyTable = (value: unknown): value is EmptyTable =>
  isRow(value) && Object.keys(value).length === 1 && isTexts(value['$columns']);
export const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');
export const isTable = (value: unknown): value is Row[] | EmptyTable => isRows(value) || isEmptyTable(value);

/** Marks parameters that take an `EmptyTable`, too. */
export const TAKES_TABLE = 'x-table';
/** JSON Schema of the rows of a table. */
export const tableJsonSchema = {
  type: 'array',
  items: { type: 'object', additionalProperties: {} },
  [TAKES_TABLE]: true,
} as const;
export const tableSchema = z.unknown().refine(isTable, 'must be a list of objects').meta(tableJsonSchema);

/** Returns the rows of a table, and its columns; null if it has no rows that would show them. */
export function readTable(table: Row[] | EmptyTable): { rows: Row[]; columns: string[] | null } {
  if (!Array.isArray(table)) return { rows: [], columns: table.$columns };
  const columns = [...new Set(table.flatMap((row) => Object.keys(row)))];
  return { rows: table, columns: table.length === 0 ? null : columns };
}
