import { readSecretFiles } from '#config/secret-files.js';
import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { CliError } from '../cli-error.js';
import { makeFolder } from '../outputs/output-file.js';

/** Where a data directory keeps the password of bull-board. */
export const adminPasswordFile = (dataDir: string) => join(dataDir, 'admin-password');

/**
 * The environment for a stack in `dataDir`: the caller's own with the contents of its secret files, and a password for the admin pages. Unless
 * ADMIN_PASSWORD is set it is made once and kept in a file for its owner only.
 */
export async function stackEnvironment(dataDir: string): Promise<NodeJS.ProcessEnv> {
  const { environment, problems } = readSecretFiles(process.env);
  if (problems.length > 0) throw new CliError(`The stack did not start: ${problems.join('; ')}`);
  if (environment['ADMIN_PASSWORD']) return environment;
  const file = adminPasswordFile(dataDir);
  await makeFolder(resolve(dataDir));
  const made = `${randomBytes(18).toString('base64url')}\n`;
  // Another start may have been faster; its password counts.
  await writeFile(file, made, { mode: 0o600, flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  return { ...environment, ADMIN_PASSWORD: (await readFile(file, 'utf8')).trim() };
}
