import { phrase } from '#contracts/phrases/phrase.js';
import { z } from 'zod';
import { defineTool, ToolCallError } from '../tool.js';
import { sumOf, toNumber, type Decimal } from './decimal.js';
import { numberReader } from './columns.js';
import { readTable, rowSchema, tableSchema } from './record.js';

type Row = Record<string, unknown>;

const MAX_GROUPS = 50_000;
const functions = ['sum', 'average', 'count', 'min', 'max'] as const;

const measureSchema = z
  .object({
    column: z.string().min(1).max(200).describe('name of the column'),
    function: z.enum(functions).describe('what to compute; count counts the cells that are not empty'),
    as: z.string().min(1).max(200).optional().describe('column of the result (default: function_column)'),
  })
  .strict();
type Measure = z.infer<typeof measureSchema>;

export const aggregate = defineTool({
  name: 'aggregate',
  description:
    'Compute totals over the rows of a table, for all rows or for each group: sum, average, count, minimum and maximum of columns. Numbers such as 120,50 or 1.234,56 are read from how the whole column is written; decimals are added exactly.',
  input: z.object({
    rows: tableSchema.describe('rows of the table'),
    measures: z.array(measureSchema).min(1).max(20).describe('what to compute'),
    group_by: z
      .array(z.string().min(1).max(200))
      .max(10)
      .optional()
      .describe('columns whose values form the groups (default: one group of all rows)'),
  }),
  output: z.object({
    columns: z.array(z.string()).describe('names of the columns'),
    rows: z.array(rowSchema).describe('one row per group, in order of first appearance'),
  }),
  run({ rows: table, measures, group_by: groupBy = [] }) {
    const { rows, columns: known } = readTable(table);
    if (known) requireColumns(known, [...groupBy, ...measures.map(({ column }) => column)]);
    const names = measures.map((measure) => measure.as ?? `${measure.function}_${measure.column}`);
    const columns = [...groupBy, ...names];
    const twice = columns.find((name, index) => columns.indexOf(name) !== index);
    if (twice !== undefined)
      throw new ToolCallError('invalid_arguments', phrase('tool_error.same_column', { name: twice }));
    const groups = groupsOf(rows, groupBy);
    const readers = measures.map(({ column }) => numberReader(rows.map((row) => row[column])));
    return {
      columns,
      rows: groups.map((members) => {
        const keys = groupBy.map((column): [string, unknown] => [column, members[0]?.[column] ?? null]);
        const values = measures.map((measure, index): [string, unknown] => [
          names[index]!,
          valueOf(measure, members, readers[index]!),
        ]);
        return Object.fromEntries([...keys, ...values]);
      }),
    };
  },
});

/** @throws ToolCallError naming the columns that exist */
function requireColumns(columns: readonly string[], wanted: readonly string[]): void {
  const missing = wanted.find((column) => !columns.includes(column));
  if (missing === undefined) return;
  const known = columns.slice(0, 50).join(', ');
  throw new ToolCallError('no_such_column', phrase('tool_error.no_column_but', { name: missing, known }));
}

function groupsOf(rows: readonly Row[], groupBy: readonly string[]): Row[][] {
  if (groupBy.length === 0) return [[...rows]];
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const key = JSON.stringify(groupBy.map((column) => row[column] ?? null));
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
    if (groups.size > MAX_GROUPS)
      throw new ToolCallError('too_large', phrase('tool_error.too_many_groups', { max: MAX_GROUPS }));
  }
  return [...groups.values()];
}

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === '';

/** Returns the value of a measure; null if no cell has a value, except that a count is 0. */
function valueOf(
  { column, function: kind }: Measure,
  rows: readonly Row[],
  read: (cell: unknown) => Decimal | null,
): number | null {
  const cells = rows.map((row) => row[column]).filter((value) => !isEmpty(value));
  if (kind === 'count') return cells.length;
  const numbers = cells.map((cell) => numberIn(cell, column, read));
  if (numbers.length === 0) return null;
  switch (kind) {
    case 'sum':
      return toNumber(sumOf(numbers));
    case 'average':
      return toNumber(sumOf(numbers)) / numbers.length;
    case 'min':
      return numbers.map(toNumber).reduce((least, number) => Math.min(least, number));
    case 'max':
      return numbers.map(toNumber).reduce((most, number) => Math.max(most, number));
  }
}

/** A text that is not a number must not count as 0: the total would be wrong without notice. */
function numberIn(cell: unknown, column: string, read: (cell: unknown) => Decimal | null): Decimal {
  const decimal = read(cell);
  if (decimal) return decimal;
  const shown = String(JSON.stringify(cell)).slice(0, 60);
  throw new ToolCallError('not_a_number', phrase('tool_error.cell_no_number', { column, value: shown }));
}
