import { withoutByteOrderMark } from '#contracts/text.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { detectEncoding, readText } from '#extraction/encoding.js';
import { ExtractionError } from '#extraction/errors.js';
import type { Grid } from '#extraction/grid.js';
import { odsGrid } from '#extraction/odf/grid.js';
import { rangeOf } from '#extraction/xlsx/sheet.js';
import { xlsxGrid } from '#extraction/xlsx/xlsx.js';
import { ToolCallError } from '../tool.js';
import { guessDecimal, numbersOf, type DecimalMark } from './columns.js';
import { isRows, readTable, distinctNames } from './record.js';
import { parseExactJson } from './exact-json.js';
import { attempt, MAX_CELLS, MAX_ROWS } from './parse.js';
import { delimiterIn, isBlankLine, readCsv } from './read-csv.js';
import { queryParquet } from './sql.js';

type Row = Record<string, unknown>;

/** How to read a table; what is missing is guessed. */
export interface TableOptions {
  sheet?: string | undefined;
  /** Such as `B2:F40`; `B2` is where the range begins. */
  range?: string | undefined;
  /** Row of the sheet with the names of the columns; 0 for none. */
  header_row?: number | undefined;
  encoding?: string | undefined;
  delimiter?: string | undefined;
  decimal?: DecimalMark | undefined;
}

/** How a table was read; null for what its format does not have. */
interface ReadAs {
  format: string;
  sheet: string | null;
  sheets: string[] | null;
  range: string | null;
  header_row: number | null;
  encoding: string | null;
  delimiter: string | null;
  decimal: DecimalMark | null;
  hidden_values: number | null;
}

/** A table that was read from a file. */
export interface TableOfFile {
  columns: string[];
  rows: Row[];
  read_as: ReadAs;
}

/** Maximum number of records of a CSV file that are parsed. */
const MAX_RECORDS = 2 * MAX_ROWS;
const NOTHING: Omit<ReadAs, 'format'> = {
  sheet: null,
  sheets: null,
  range: null,
  header_row: null,
  encoding: null,
  delimiter: null,
  decimal: null,
  hidden_values: null,
};

/** Reads the table in a file by the extension of its name. @throws ToolCallError */
export async function tableOfFile(
  bytes: Uint8Array,
  name: string,
  options: TableOptions,
): Promise<TableOfFile> {
  const format = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  try {
    switch (format) {
      case 'xlsx':
      case 'xlsm':
        return ofSheet(format, xlsxGrid(bytes, name, options.sheet), options);
      case 'ods':
        return ofSheet(format, odsGrid(bytes, name, options.sheet), options);
      case 'csv':
      case 'tsv':
        return ofCsv(format, bytes, name, options);
      case 'json':
      case 'jsonl':
      case 'ndjson':
        return ofJson(format, bytes, name, options);
      case 'parquet':
        return { ...(await queryParquet(bytes)), read_as: { ...NOTHING, format } };
      default:
        throw new ToolCallError('invalid_input', phrase('tool_error.no_table_format', { name }));
    }
  } catch (error) {
    if (!(error instanceof ExtractionError)) throw error;
    throw new ToolCallError('invalid_input', error.phrase ?? error.message);
  }
}

/** @param found the sheet, or the names of those that the file has */
function ofSheet(format: string, found: Grid | string[], options: TableOptions): TableOfFile {
  if (Array.isArray(found)) throw noSheet(options.sheet, found);
  const { sheet, sheets, rows, hidden } = found;
  const { table, readAs } = ofRows(rows, options, firstFullRow);
  return { ...table, read_as: { ...NOTHING, format, sheet, sheets, hidden_values: hidden, ...readAs } };
}

const noSheet = (name = '', known: string[] = []) =>
  new ToolCallError('not_found', phrase('tool_error.no_sheet', { name, known: known.join(', ') }));

function ofCsv(format: string, bytes: Uint8Array, name: string, options: TableOptions): TableOfFile {
  const { text, encoding } = readText(bytes, name, options.encoding ?? detectEncoding(bytes).encoding);
  const delimiter = options.delimiter ?? delimiterIn(text);
  const lines = attempt('CSV', () => readCsv(text, delimiter, MAX_RECORDS, true));
  // Without this, rows after the last parsed one would be missing without notice.
  const records = lines.filter((line) => !isBlankLine(line)).length;
  if (records === MAX_RECORDS && areaOf(options.range).bottom > lines.length) throw tooManyRows();
  const { table, readAs } = ofRows(lines, options, (rows) =>
    Math.max(
      0,
      rows.findIndex((row) => !isBlankLine(row)),
    ),
  );
  return { ...table, read_as: { ...NOTHING, format, encoding: encoding ?? 'utf-8', delimiter, ...readAs } };
}

function ofJson(format: string, bytes: Uint8Array, name: string, options: TableOptions): TableOfFile {
  const { text, encoding } = readText(bytes, name, options.encoding);
  const json = withoutByteOrderMark(text);
  const value = attempt('JSON', () =>
    format === 'json'
      ? parseExactJson(json)
      : json.split('\n').flatMap((line) => (line.trim() === '' ? [] : [parseExactJson(line)])),
  );
  const lists = isRows(value) ? {} : listsIn(value);
  const sheets = Object.keys(lists);
  const sheet = options.sheet ?? sheets[0] ?? null;
  const rows = isRows(value) && options.sheet === undefined ? value : lists[sheet ?? ''];
  if (!rows) throw noSheet(options.sheet, sheets);
  if (rows.length > MAX_ROWS) throw tooManyRows();
  const columns = readTable(rows).columns ?? [];
  return { columns, rows, read_as: { ...NOTHING, format, sheet, sheets, encoding: encoding ?? 'utf-8' } };
}

/** Returns the lists of rows that an object has, by their names. */
function listsIn(value: unknown): Record<string, Row[]> {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, Row[]] => isRows(entry[1])),
  );
}

const tooManyRows = () =>
  new ToolCallError('too_large', phrase('tool_error.too_many_rows', { max: MAX_ROWS }));

const isFilled = (value: unknown): boolean => value !== null && value !== undefined && value !== '';

/** Returns the index of the first row with more than one value, if there is one: a title has one. */
function firstFullRow(rows: readonly (readonly unknown[])[]): number {
  const at = rows.findIndex((row) => row.filter(isFilled).length > 1);
  return at >= 0 ? at : rows.findIndex((row) => row.some(isFilled));
}

/** @param guessHeader returns the index of the row with the names of the columns; negative for none */
function ofRows(
  all: readonly (readonly unknown[])[],
  options: TableOptions,
  guessHeader: (rows: readonly (readonly unknown[])[]) => number,
): { table: Pick<TableOfFile, 'columns' | 'rows'>; readAs: Partial<ReadAs> } {
  const area = areaOf(options.range);
  const cut = all.slice(area.top - 1, area.bottom).map((row) => row.slice(area.left - 1, area.right));
  const header =
    options.header_row === undefined ? guessHeader(cut) : Math.max(-1, options.header_row - area.top);
  const body = cut.slice(header + 1).filter((row) => row.some(isFilled));
  if (body.length > MAX_ROWS) throw tooManyRows();
  const head = cut[header] ?? [];
  const width = [head, ...body].reduce((most, { length }) => Math.max(most, length), 0);
  if (width * body.length > MAX_CELLS)
    throw new ToolCallError('too_large', phrase('tool_error.too_many_cells', { max: MAX_CELLS }));
  const used = Array.from({ length: width }, (_, column) => column).filter((column) =>
    [head, ...body].some((row) => isFilled(row[column])),
  );
  const columns = distinctNames(
    used.map((column) => String(head[column] ?? '').trim() || `column_${column + area.left}`),
  );
  const values = used.map((column) => body.map((row) => row[column] ?? null));
  const decimal = options.decimal ?? guessDecimal(values);
  const read = values.map((cells) => numbersOf(cells, decimal) ?? cells);
  const rows = body.map((_, row) =>
    Object.fromEntries(columns.map((name, column) => [name, read[column]![row] ?? null])),
  );
  const readAs = { range: options.range ?? null, header_row: header < 0 ? 0 : header + area.top, decimal };
  return { table: { columns, rows }, readAs };
}

/** @throws ToolCallError */
function areaOf(range: string | undefined): { top: number; left: number; bottom: number; right: number } {
  const [first = '', last] = (range ?? 'A1').split(':');
  const [from, to] = [rangeOf(first), rangeOf(last ?? '')];
  const area = {
    top: from.top || 1,
    left: from.left || 1,
    bottom: to.bottom || Infinity,
    right: to.right || Infinity,
  };
  if (area.bottom >= area.top && area.right >= area.left) return area;
  throw new ToolCallError('invalid_arguments', phrase('tool_error.range', { range: range ?? '' }));
}
