import type { CostRow } from './api/operations-schemas.js';

/** Returns a text as a cell of CSV (RFC 4180). */
export const csvCell = (text: string, separator = ','): string =>
  /["\r\n]/.test(text) || text.includes(separator) ? `"${text.replaceAll('"', '""')}"` : text;

type Costs = Record<'key' | 'project' | 'kind', CostRow[]>;

const COLUMNS = [
  'id',
  'name',
  'model_calls',
  'input_tokens',
  'cached_tokens',
  'output_tokens',
  'cost',
] as const;

/** Returns costs as CSV with a header: one line for each key, project and kind; costs in millionths of the currency. */
export function costsCsv(costs: Costs): string {
  const rows = Object.entries(costs).flatMap(([by, entries]) =>
    entries.map((row) => [by, ...COLUMNS.map((column) => row[column] ?? '')]),
  );
  return [['by', ...COLUMNS], ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

/** Quotes a cell; a name that begins like a formula gets an apostrophe, so that a spreadsheet does not compute it. */
function cell(value: string | number): string {
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return csvCell(text);
}
