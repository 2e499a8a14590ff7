import { csvCell } from '#contracts/usage-csv.js';
import { columnOf } from '../platform/columns.js';
import type { KnownColumns } from '../platform/sql.js';
import { tableOfFile, type TableOfFile } from '../platform/table-file.js';
import { ToolCallError } from '../tool.js';

/** Beginning of a table in a file. */
export interface TableGlance {
  /** Sheet of a spreadsheet, or list of a JSON object; null if the file is one table. */
  sheet: string | null;
  /** Number of rows; null if the table was not read. */
  rows: number | null;
  columns: KnownColumns;
  /** Lines with the names of the columns and the first rows. */
  lines: string[];
}

/** Maximum number of tables of a file that are read; of others, only the name is known. */
const MAX_READ = 12;
const MAX_SAMPLES = 2;

/**
 * Reads the beginnings of the tables in a file; called in a child process. The first is the one that is read by default.
 *
 * @returns no tables if the file has none that can be read
 */
export default async function tablesIn({
  bytes,
  name,
}: {
  bytes: Uint8Array;
  name: string;
}): Promise<TableGlance[]> {
  try {
    const first = await tableOfFile(bytes, name, {});
    const { sheet, sheets } = first.read_as;
    const others = (sheets ?? []).filter((each) => each !== sheet);
    const read = others
      .slice(0, MAX_READ - 1)
      .map((each) =>
        tableOfFile(bytes, name, { sheet: each }).then(glanceOf, (error: unknown) =>
          without(error, unread(each)),
        ),
      );
    return [glanceOf(first), ...(await Promise.all(read)), ...others.slice(MAX_READ - 1).map(unread)];
  } catch (error) {
    return without(error, []);
  }
}

/** Returns what stands for a table that cannot be read: the call of a tool reports the error. */
function without<T>(error: unknown, instead: T): T {
  if (error instanceof ToolCallError) return instead;
  throw error;
}

const unread = (sheet: string): TableGlance => ({ sheet, rows: null, columns: null, lines: [] });

function glanceOf({ columns, rows, read_as: { sheet } }: TableOfFile): TableGlance {
  const lines = rows.slice(0, MAX_SAMPLES).map((row) => columns.map((name) => row[name]));
  return {
    sheet,
    rows: rows.length,
    columns: columns.map((name) => ({ name, type: columnOf(rows.map((row) => row[name])).type })),
    lines: [columns, ...lines].map((cells) => cells.map((cell) => csvCell(textOf(cell), ',')).join(',')),
  };
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === null || value === undefined ? '' : JSON.stringify(value);
