import { phrase } from '#contracts/phrases/phrase.js';
import { z } from 'zod';
import { defineTool, ToolCallError } from '../tool.js';
import { toNumber, type Decimal } from './decimal.js';
import { drawChart, type Series } from './draw-chart.js';
import { numberReader } from './columns.js';
import { readTable, tableSchema } from './record.js';

const MAX_POINTS = 500;

const column = z.string().min(1).max(200);

export const drawChartTool = defineTool({
  name: 'draw_chart',
  description:
    'Draw a chart of the rows of a table as an SVG picture: bar chart, line chart or pie chart. Save it with write_file; a document that shows it depends on that task.',
  input: z.object({
    rows: tableSchema.describe('rows of the table, in the order in which they are drawn'),
    kind: z.enum(['bar', 'line', 'pie']).describe('kind of chart'),
    label: column.describe('column that names each bar, point or slice'),
    values: z.array(column).min(1).max(8).describe('columns with the numbers; a pie has one'),
    title: z.string().min(1).max(200).optional().describe('title above the chart'),
  }),
  output: z.object({
    svg: z.string().describe('the picture as SVG'),
    points: z.number().int().describe('number of rows drawn'),
  }),
  run({ rows: table, kind, label, values, title }) {
    const { rows } = readTable(table);
    if (rows.length === 0) throw new ToolCallError('no_rows', phrase('tool_error.chart_no_rows'));
    if (rows.length > MAX_POINTS)
      throw new ToolCallError('too_large', phrase('tool_error.chart_too_many_rows', { max: MAX_POINTS }));
    if (kind === 'pie' && values.length > 1)
      throw new ToolCallError('invalid_arguments', phrase('tool_error.pie_columns'));
    const labels = rows.map((row) => textIn(row, label));
    const series = values.map((name): Series => {
      const read = numberReader(rows.map((row) => row[name]));
      const numbers = rows.map((row, index) => numberIn(row, name, index, read));
      return { name, numbers };
    });
    if (kind === 'pie' && series[0]!.numbers.some((number) => number < 0))
      throw new ToolCallError('invalid_arguments', phrase('tool_error.pie_negative'));
    return { svg: drawChart({ kind, title: title ?? null, labels, series }), points: rows.length };
  },
});

function textIn(row: Record<string, unknown>, name: string): string {
  const value = row[name];
  if (value === undefined)
    throw new ToolCallError('no_such_column', phrase('tool_error.no_column', { name }));
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function numberIn(
  row: Record<string, unknown>,
  name: string,
  index: number,
  read: (value: unknown) => Decimal | null,
): number {
  const value = row[name];
  if (value === undefined)
    throw new ToolCallError('no_such_column', phrase('tool_error.no_column', { name }));
  const decimal = read(value);
  if (decimal) return toNumber(decimal);
  throw new ToolCallError(
    'not_a_number',
    phrase('tool_error.row_no_number', {
      row: index + 1,
      value: String(JSON.stringify(value)).slice(0, 60),
      column: name,
    }),
  );
}
