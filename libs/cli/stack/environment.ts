import { phrase } from '#contracts/phrases/phrase.js';
import { readSecretFiles } from '#config/secret-files.js';
import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { CliError } from '../cli-error.js';
import { makeFolder } from '../outputs/output-file.js';

/** Returns the path of the file with the password of bull-board. */
export const adminPasswordFile = (dataDir: string) => join(dataDir, 'admin-password');

/**
 * Returns the environment for a stack in `dataDir`: the environment of this process, the contents of its
 * secret files, and a password for the admin pages. Unless ADMIN_PASSWORD is set, the password is created once and
 * stored in a file with mode 0600.
 */
export async function stackEnvironment(dataDir: string): Promise<NodeJS.ProcessEnv> {
  const { environment, problems } = readSecretFiles(process.env);
  if (problems.length > 0)
    throw new CliError(phrase('cli_error.start_failed', { reason: problems.join('; ') }));
  if (environment['ADMIN_PASSWORD']) return environment;
  const file = adminPasswordFile(dataDir);
  await makeFolder(resolve(dataDir));
  const made = `${randomBytes(18).toString('base64url')}\n`;
  // If another process created the file first, use its password.
  await writeFile(file, made, { mode: 0o600, flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  return { ...environment, ADMIN_PASSWORD: (await readFile(file, 'utf8')).trim() };
}
