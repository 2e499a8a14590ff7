import type { SheetData } from 'write-excel-file/node';
import { columnOf } from './columns.js';
import { readTable, type EmptyTable, distinctNames } from './record.js';

type Row = Record<string, unknown>;
/** Tables of a workbook by the names of their sheets. */
export type WorkbookTables = Record<string, Row[] | EmptyTable>;
/** Characters that Excel does not allow in the name of a sheet, and the length of the longest. */
const FORBIDDEN = /[\\/?*[\]:]/g;
const MAX_NAME = 31;

/**
 * Returns an Excel workbook with a sheet for each table: a bold line of column names, then the rows. Columns of dates become dates; texts are
 * never formulas.
 *
 * @param tables by the name of the sheet
 */
export async function writeWorkbook(tables: WorkbookTables): Promise<Buffer> {
  const { default: writeExcelFile } = await import('write-excel-file/node');
  const names = sheetNames(Object.keys(tables));
  const sheets = Object.values(tables).map((table, at) => ({
    sheet: names[at]!,
    data: sheetOf(table),
    stickyRowsCount: 1,
  }));
  return writeExcelFile(sheets).toBuffer();
}

/** Returns names that Excel allows: they differ in more than their case. */
function sheetNames(given: readonly string[]): string[] {
  const allowed = given.map((name) => name.replace(FORBIDDEN, ' ') || 'Sheet');
  const cut = (length: number) => allowed.map((name) => name.slice(0, length));
  const lower = (name: string) => name.toLowerCase();
  const isDistinct = new Set(cut(MAX_NAME).map(lower)).size === given.length;
  return isDistinct ? cut(MAX_NAME) : distinctNames(cut(MAX_NAME - '_999'.length), lower);
}

function sheetOf(table: Row[] | EmptyTable): SheetData {
  const { rows, columns } = readTable(table);
  const names = columns ?? [];
  const dates = new Map(
    names.flatMap((name) => {
      const column = columnOf(rows.map((row) => row[name]));
      return column.type === 'DATE' ? [[name, column.convert] as const] : [];
    }),
  );
  const head = names.map((value) => ({ value, type: String, fontWeight: 'bold' as const }));
  return [head, ...rows.map((row) => names.map((name) => cellOf(row[name], dates.get(name))))];
}

function cellOf(
  value: unknown,
  toDate: ((value: unknown) => string | null) | undefined,
): SheetData[number][number] {
  if (value === null || value === undefined || value === '') return null;
  if (typeof value === 'number') return { value, type: Number };
  if (typeof value === 'boolean') return { value, type: Boolean };
  const date = toDate?.(value);
  if (date) return { value: new Date(`${date}T00:00:00Z`), type: Date, format: 'yyyy-mm-dd' };
  return { value: typeof value === 'string' ? value : JSON.stringify(value), type: String };
}
