import { ToolError, type InputPort } from '#kit/graph/ports.js';
import type { TableGlance } from '../tools/check/tables.worker.js';
import type { InputGlance } from './prompt.js';

/** Maximum number of files to read. The planner sees the first lines of these, and only name and size of others. */
const MAX_READ = 40;
const MAX_LINES = 5;
/** Maximum length of the first lines, in characters: of one file, and of all. */
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
  return Promise.all(
    files.map(async ({ name, bytes }) => {
      if (!read.has(name)) return { name, bytes, beginning: null };
      const tables = hidesColumns(name) ? await tablesIn(name) : [];
      if (tables.length > 0) return { name, bytes, beginning: null, tables };
      const limit = Math.min(MAX_CHARACTERS, Math.floor(MAX_ALL_CHARACTERS / read.size));
      return { name, bytes, beginning: await beginningOf(inputs, name, limit) };
    }),
  );
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
