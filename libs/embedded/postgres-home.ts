import { randomBytes, createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  statSync,
  chownSync,
  constants,
  copyFileSync,
  readdirSync,
  readFileSync,
} from 'node:fs';
import { chmod, chown, mkdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, basename } from 'node:path';
import {
  type Account,
  type PostgresBinaries,
  copyBinaries,
  locateBinaries,
  runProgram,
  versionOf,
} from './postgres-binaries.js';
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
async function copyTemplate(
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

/** PostgreSQL refuses to run as root; this is the ID of `nobody` on Linux. */
const UNPRIVILEGED: Account = { uid: 65_534, gid: 65_534 };

/** Location of one embedded PostgreSQL and the account under which it runs. */
export interface PostgresHome {
  binaries: PostgresBinaries;
  /** PostgreSQL's own data directory. */
  clusterDir: string;
  /** Folder with the cluster, the log and the password. */
  dir: string;
  password: string;
  account?: Account;
}

/**
 * Ensures that `dataDir` contains a complete cluster with its own password, and returns the paths.
 *
 * If run by root, PostgreSQL uses an unprivileged account. If that account cannot access `dataDir` or
 * node_modules (a parent folder has mode 0700, such as /root), the cluster or a copy of the programs is
 * stored below /var/lib/scriptorium (or the system's temporary folder), and a file in `dataDir` records the
 * cluster's path.
 *
 * @param say called with one sentence if the cluster is stored elsewhere
 * @param templates folder with the template that a new cluster is copied from; without one, initdb creates it
 */
export async function prepareHome(
  dataDir: string,
  say: (message: string) => void,
  templates?: string,
): Promise<PostgresHome> {
  await mkdir(dataDir, { recursive: true });
  const asked = await realpath(dataDir);
  const found = await locateBinaries();
  const account = process.getuid?.() === 0 ? UNPRIVILEGED : undefined;
  const dir = account ? await reachableDir(asked, say) : asked;
  const binaries =
    account && !(await canRun(found.postgres)) ? await copyBinaries(found, commonPlace()) : found;
  const password = await ensurePassword(dir, account);
  const home = { binaries, clusterDir: join(dir, 'cluster'), dir, password, account };
  if (!(await isComplete(home.clusterDir)))
    await createCluster(home, templates && join(templates, await templateName(found)));
  return home;
}

async function reachableDir(asked: string, say: (message: string) => void): Promise<string> {
  // Only PostgreSQL's files are in here, and traversing the folder without listing it reveals nothing.
  await chmod(asked, ((await stat(asked)).mode & 0o777) | 0o011);
  if (await canPass(asked)) return asked;
  const file = join(asked, 'location');
  const known = await readFile(file, 'utf8').catch(() => '');
  const dir = known !== '' && existsSync(known) ? known : await newPlace();
  await writeFile(file, dir);
  say(
    `PostgreSQL does not run as root, and the account that it runs as cannot access ${asked}; ` +
      `its data is stored in ${dir} instead.`,
  );
  return dir;
}

/** Returns true if every account may traverse all folders on the path. */
async function canPass(path: string): Promise<boolean> {
  for (let folder = path; ; folder = dirname(folder)) {
    if (((await stat(folder)).mode & 0o001) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}

async function canRun(program: string): Promise<boolean> {
  const path = await realpath(program);
  return ((await stat(path)).mode & 0o005) === 0o005 && (await canPass(dirname(path)));
}

async function newPlace(): Promise<string> {
  const dir = join(commonPlace(), randomBytes(8).toString('hex'));
  await mkdir(dir);
  await chmod(dir, 0o711);
  return dir;
}

/** Returns a root-owned folder that every account can traverse, preferably in a place that survives a reboot. */
function commonPlace(): string {
  for (const parent of ['/var/lib', tmpdir()]) {
    const dir = join(parent, 'scriptorium');
    try {
      mkdirSync(dir, { recursive: true });
      // Another account may have created it first if the parent is world-writable.
      if (statSync(dir).uid !== 0) continue;
      chmodSync(dir, 0o755);
      return dir;
    } catch {
      continue;
    }
  }
  throw new Error(
    'PostgreSQL does not run as root, and no folder is accessible to another account. ' +
      'Start as a non-root user, move the checkout out of the private folder, or set DATABASE_URL.',
  );
}

async function ensurePassword(dir: string, account?: Account): Promise<string> {
  const file = join(dir, 'password');
  const known = await readFile(file, 'utf8').catch(() => '');
  if (known !== '') return known;
  const password = randomBytes(24).toString('base64url');
  await writeFile(file, password, { mode: 0o600 });
  if (account) await chown(file, account.uid, account.gid);
  return password;
}

/**
 * Creates the cluster in a temporary folder that is renamed when complete, so that a partial cluster is never
 * used: as a copy of the template or, if that is missing or damaged, with initdb.
 */
async function createCluster(home: PostgresHome, template?: string): Promise<void> {
  const { binaries, clusterDir, password, account } = home;
  if (existsSync(clusterDir)) await rename(clusterDir, `${clusterDir}.broken-${Date.now()}`);
  const fresh = `${clusterDir}.new`;
  await rm(fresh, { recursive: true, force: true });
  const copied =
    template !== undefined &&
    existsSync(template) &&
    (await copyTemplate(template, fresh, password, binaries, account).then(
      () => true,
      () => false,
    ));
  if (!copied) await runInitdb(home, fresh);
  await rename(fresh, clusterDir);
}

async function runInitdb({ binaries, dir, account }: PostgresHome, fresh: string): Promise<void> {
  await rm(fresh, { recursive: true, force: true });
  await mkdir(fresh, { mode: 0o700 });
  if (account) await chown(fresh, account.uid, account.gid);
  await runProgram(
    binaries.initdb,
    [
      `--pgdata=${fresh}`,
      '--username=postgres',
      '--auth=scram-sha-256',
      `--pwfile=${join(dir, 'password')}`,
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--no-instructions',
    ],
    account,
  );
}

async function isComplete(clusterDir: string): Promise<boolean> {
  return existsSync(join(clusterDir, 'PG_VERSION')) && existsSync(join(clusterDir, 'global', 'pg_control'));
}
