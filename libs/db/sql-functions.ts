import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface SqlFunctions {
  /** Each file's name without its ending, and its text, in order of the names. */
  files: { name: string; sql: string }[];
  /** Hash of all names and texts, the same whether lines end with LF or CRLF. */
  checksum: string;
}

/** Reads `<dir>/<name>.sql`; no files if the folder does not exist. */
export async function readFunctions(dir: string): Promise<SqlFunctions> {
  const entries = await readdir(dir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const files = await Promise.all(
    entries
      .filter((entry) => entry.endsWith('.sql'))
      .sort()
      .map(async (entry) => ({
        name: entry.slice(0, -'.sql'.length),
        sql: (await readFile(join(dir, entry), 'utf8')).replaceAll('\r\n', '\n'),
      })),
  );
  return { files, checksum: createHash('sha256').update(JSON.stringify(files)).digest('hex') };
}
