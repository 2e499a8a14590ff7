import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Where a data directory keeps the API key of its own user. */
export const keyFile = (dataDir: string) => join(dataDir, 'api-key');

/** The key that a data directory keeps, unchecked; undefined when there is none. */
export async function readKey(dataDir: string): Promise<string | undefined> {
  const key = (await readFile(keyFile(dataDir), 'utf8').catch(() => '')).trim();
  return key === '' ? undefined : key;
}
