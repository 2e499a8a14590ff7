import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Returns the path of the file with the data directory's API key. */
export const keyFile = (dataDir: string) => join(dataDir, 'api-key');

/** Reads the data directory's API key without checking it; undefined if the file is missing or empty. */
export async function readKey(dataDir: string): Promise<string | undefined> {
  const key = (await readFile(keyFile(dataDir), 'utf8').catch(() => '')).trim();
  return key === '' ? undefined : key;
}
