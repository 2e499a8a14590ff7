import { singleSpaced } from '#contracts/text.js';
import { ToolError, type InputPort } from '#kit/graph/ports.js';
import type { TableGlance } from '../tools/check/tables.worker.js';
import type { InputGlance } from './prompt.js';

/** Maximum number of files to read. The planner sees the first lines of these, and only name and size of others. */
const MAX_READ = 40;
const MAX_LINES = 5;
/** Maximum length of the first lines, in characters: of one file that is no table, and of all. */
const MAX_CHARACTERS = 1_500;
const MAX_ALL_CHARACTERS = 16_000;

/** Files whose first lines do not show the columns of their tables. */
const hidesColumns = (name: string): boolean => /\.(?:xlsx|xlsm|ods|parquet|json)$/i.test(name);

/**
 * Returns name and size of each input file, and the beginnings of those that `isRead` selects: of their tables, or their
 * first lines.
 *
 * @param tablesIn returns the beginnings of the tables in a file, the default first; parses it in another process
 */
export async function glanceAt(
  inputs: InputPort,
  tablesIn: (name: string) => Promise<TableGlance[]>,
  isRead = (_: string) => true,
): Promise<InputGlance[]> {
  const files = await inputs.list();
  const read = new Set(
    files
      .map(({ name }) => name)
      .filter(isRead)
      .slice(0, MAX_READ),
  );
  const limit = Math.floor(MAX_ALL_CHARACTERS / read.size);
  const glances: InputGlance[] = [];
  // One after another: each file with tables takes a process.
  for (const { name, bytes } of files) {
    const tables = read.has(name) && hidesColumns(name) ? await tablesIn(name) : [];
    const isText = read.has(name) && tables.length === 0;
    const beginning = isText ? await beginningOf(inputs, name, Math.min(MAX_CHARACTERS, limit)) : null;
    glances.push({ name, bytes, beginning, ...(tables.length > 0 && { tables: cutTo(tables, limit) }) });
  }
  return glances;
}

/** Maximum length of a line of a table, in characters. */
const MAX_LINE = 300;

/** Returns tables whose lines have at most `limit` characters together: the names of all columns before any row. */
function cutTo(tables: readonly TableGlance[], limit: number): TableGlance[] {
  let left = limit;
  const cut = (line: string) => {
    const start = singleSpaced(line).slice(0, Math.min(MAX_LINE, left)).toWellFormed();
    left -= start.length;
    return start;
  };
  const heads = tables.map(({ lines }) => lines.slice(0, 1).map(cut));
  return tables.map((table, at) => {
    const rows = left > 0 ? table.lines.slice(1).map(cut) : [];
    return { ...table, lines: [...heads[at]!, ...rows] };
  });
}

async function beginningOf(inputs: InputPort, name: string, limit: number): Promise<string | null> {
  try {
    const { text } = await inputs.readPage(name, 0);
    return text.split('\n').slice(0, MAX_LINES).join('\n').slice(0, limit).toWellFormed();
  } catch (error) {
    // Documents and pictures are not text. Their tools read them.
    if (error instanceof ToolError) return null;
    throw error;
  }
}
