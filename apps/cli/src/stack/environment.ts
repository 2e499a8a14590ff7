import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Where a data directory keeps the password of bull-board. */
export const adminPasswordFile = (dataDir: string) => join(dataDir, 'admin-password');

/**
 * The environment for a stack in `dataDir`: the caller's own, with a password for the admin pages. Unless
 * ADMIN_PASSWORD is set it is made once and kept in a file for its owner only.
 */
export async function stackEnvironment(dataDir: string): Promise<NodeJS.ProcessEnv> {
  if (process.env['ADMIN_PASSWORD']) return process.env;
  const file = adminPasswordFile(dataDir);
  await mkdir(dataDir, { recursive: true });
  const made = `${randomBytes(18).toString('base64url')}\n`;
  // Another start may have been faster; its password counts.
  await writeFile(file, made, { mode: 0o600, flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  return { ...process.env, ADMIN_PASSWORD: (await readFile(file, 'utf8')).trim() };
}
