import { createHash } from 'node:crypto';
import { chownSync, constants, copyFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Account, type PostgresBinaries, runProgram, versionOf } from './postgres-binaries.js';
import { projectRoot } from './project-root.js';

/** Returns the folder in which the build stores the template. */
export const templatesDir = () => join(projectRoot(), 'dist/.clusters');

/**
 * Returns the name of the template for this system: a stopped cluster with the database `scriptorium`, to which
 * all migrations are applied. The build makes it (scripts/build-cluster.js), and a new data directory gets a
 * copy, which takes a fourth of the CPU time of initdb and the migrations. Other programs or SQL files give
 * another name, so that an outdated template is not found.
 */
export async function templateName(binaries: PostgresBinaries): Promise<string> {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}`);
  const folder = join(projectRoot(), 'prisma');
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.sql'))
    .map((entry) => join(entry.parentPath, entry.name));
  for (const file of files.sort())
    hash.update(`${basename(dirname(file))}/${basename(file)}\n`).update(readFileSync(file));
  return `${await versionOf(binaries)}-${hash.digest('hex').slice(0, 16)}`;
}

/**
 * Copies a stopped cluster. Faster than `fs.cp`, which checks each file several times.
 *
 * @param account owner of the copy; the caller if undefined
 */
export function copyCluster(from: string, to: string, account?: Account): void {
  mkdirSync(to, { mode: 0o700 });
  if (account) chownSync(to, account.uid, account.gid);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const target = join(to, entry.name);
    if (entry.isDirectory()) {
      copyCluster(join(from, entry.name), target, account);
      continue;
    }
    copyFileSync(join(from, entry.name), target, constants.COPYFILE_FICLONE);
    if (account) chownSync(target, account.uid, account.gid);
  }
}

/**
 * Copies the template to `target` and sets the password of its superuser, while no server listens. Nobody knows
 * the password in the template.
 *
 * @throws Error if the template is missing or damaged; `target` may then exist
 */
export async function copyTemplate(
  template: string,
  target: string,
  password: string,
  binaries: PostgresBinaries,
  account?: Account,
): Promise<void> {
  copyCluster(template, target, account);
  const single = ['--single', '-F', '-c', 'exit_on_error=on', '-D', target, 'postgres'];
  const setPassword = `ALTER ROLE postgres PASSWORD '${password.replaceAll("'", "''")}'\n`;
  await runProgram(binaries.postgres, single, account, setPassword);
  // Like initdb, so that the cluster survives a power failure.
  await runProgram(binaries.initdb, ['--sync-only', `--pgdata=${target}`], account);
}
