import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from './free-port.js';
import { claimFile, releaseFile } from './owner-file.js';
import { commandLine, processIdentity } from './process-info.js';
import { postgresEnv, runProgram } from './postgres-binaries.js';
import { type PostgresHome, prepareHome } from './postgres-home.js';

const START_TIMEOUT_MS = 30_000;
const POLL_MS = 25;
const LOG = 'postgres.log';
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  timezone: 'UTC',
  log_timezone: 'UTC',
  logging_collector: 'off',
};

/** A running PostgreSQL server of this machine. */
export interface EmbeddedPostgres {
  /** `postgres://` URL of the database asked for, with the password. */
  url: string;
  port: number;
  /** Stops the server (fast: open sessions are ended). Does nothing when another process owns the server. */
  stop(): Promise<void>;
}

export interface PostgresOptions {
  /** Folder that belongs to this server alone; made when missing. */
  dataDir: string;
  /** TCP port on 127.0.0.1; by default the one used last, or a free one. */
  port?: number;
  /** Database to make and connect to; `scriptorium` by default. */
  database?: string;
  /** Server settings, such as `{ fsync: 'off' }`. */
  settings?: Record<string, string>;
  /** Told, in a sentence, about what a person may want to know. */
  say?: (message: string) => void;
}

/**
 * Starts the PostgreSQL that comes with npm in `dataDir`, listening on 127.0.0.1 only and with a random password.
 *
 * A server left behind by a killed owner is stopped and started anew; one whose owner lives is shared.
 *
 * @throws Error with the end of the server's log when it does not come up within 30 s
 */
export async function startPostgres(options: PostgresOptions): Promise<EmbeddedPostgres> {
  const home = await prepareHome(options.dataDir, options.say ?? (() => undefined));
  const database = options.database ?? 'scriptorium';
  const shared = await claim(home);
  if (shared !== undefined) return connectTo(home, shared, database, async () => undefined);
  try {
    await stopOrphan(home);
    const port = await choosePort(home, options.port);
    await launch(home, port, options.settings ?? {});
    return await connectTo(home, port, database, () => stopServer(home));
  } catch (error) {
    await stopServer(home);
    throw error;
  }
}

/**
 * Makes this process the owner of the cluster.
 *
 * @returns the port of a server whose owner lives, to be shared; undefined when this process is the owner now
 */
async function claim(home: PostgresHome): Promise<number | undefined> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    const owner = await claimFile(join(home.dir, 'owner'));
    if (owner === undefined) return undefined;
    const server = await runningServer(home);
    if (server !== undefined && (await answers(home, server.port))) return server.port;
    if (Date.now() > deadline) {
      throw new Error(
        `Process ${owner} holds ${home.dir}, but its PostgreSQL does not come up. Stop it first.`,
      );
    }
    await delay(POLL_MS);
  }
}

/** The postmaster of this very cluster, from its lock file; undefined when none runs. */
async function runningServer(home: PostgresHome): Promise<{ pid: number; port: number } | undefined> {
  const lines = (await readFile(join(home.clusterDir, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
  const pid = Number(lines[0]);
  const port = Number(lines[3]);
  if ((await processIdentity(pid)) === undefined || !(port > 0)) return undefined;
  const command = await commandLine(pid);
  return command.includes(home.clusterDir) ? { pid, port } : undefined;
}

async function stopOrphan(home: PostgresHome): Promise<void> {
  if ((await runningServer(home)) === undefined) {
    await rm(join(home.clusterDir, 'postmaster.pid'), { force: true });
    return;
  }
  await pgStop(home);
}

async function choosePort(home: PostgresHome, asked?: number): Promise<number> {
  if (asked !== undefined && asked > 0) return asked;
  const file = join(home.dir, 'port');
  const last = Number(await readFile(file, 'utf8').catch(() => ''));
  const port = await freePort(last > 0 ? last : undefined);
  await writeFile(file, String(port));
  return port;
}

/** Starts the server; once more while processes of a killed server still hold its shared memory. */
async function launch(home: PostgresHome, port: number, settings: Record<string, string>): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    const failure = await launchOnce(home, port, settings, deadline);
    if (failure === undefined) return;
    const log = (await readFile(join(home.dir, LOG), 'utf8').catch(() => '')).trim();
    if (!log.includes('pre-existing shared memory block') || Date.now() > deadline) {
      const tail = log.split('\n').slice(-8).join('\n');
      throw new Error(`PostgreSQL in ${home.dir} did not start: ${failure}\n${tail}`);
    }
    await delay(POLL_MS * 4);
  }
}

/** @returns undefined when the server answers, else why it does not */
async function launchOnce(
  home: PostgresHome,
  port: number,
  settings: Record<string, string>,
  deadline: number,
): Promise<string | undefined> {
  const all = { ...SETTINGS, port: String(port), ...settings };
  const log = openSync(join(home.dir, LOG), 'w', 0o600);
  const child = spawn(
    home.binaries.postgres,
    ['-D', home.clusterDir, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    {
      ...home.account,
      cwd: home.clusterDir,
      env: postgresEnv(),
      stdio: ['ignore', log, log],
      // A process group of its own: Ctrl-C must not end the server before the processes that use it.
      detached: true,
    },
  );
  closeSync(log);
  child.unref();
  let ended: string | undefined;
  child.once('error', (error) => (ended = error.message));
  child.once('exit', (code, signal) => (ended = `it ended with ${signal ?? String(code)}`));
  while (!(await answers(home, port))) {
    if (ended !== undefined) return ended;
    if (Date.now() > deadline) return 'it does not answer';
    await delay(POLL_MS);
  }
  return undefined;
}

function urlOf(home: PostgresHome, port: number, database: string): string {
  return `postgres://postgres:${home.password}@127.0.0.1:${port}/${encodeURIComponent(database)}`;
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function answers(home: PostgresHome, port: number): Promise<boolean> {
  return withClient(urlOf(home, port, 'postgres'), async (client) => {
    await client.query('SELECT 1');
    return true;
  }).catch((error: unknown) => {
    // A wrong password never mends itself by waiting.
    if ((error as { code?: string }).code === '28P01') throw error;
    return false;
  });
}

async function connectTo(
  home: PostgresHome,
  port: number,
  database: string,
  stop: () => Promise<void>,
): Promise<EmbeddedPostgres> {
  await withClient(urlOf(home, port, 'postgres'), async (client) => {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [database]);
    if (rowCount !== 0) return;
    await client.query(`CREATE DATABASE ${client.escapeIdentifier(database)}`).catch((error: unknown) => {
      // Someone who shares the server made it in between.
      if (!['42P04', '23505'].includes((error as { code?: string }).code ?? '')) throw error;
    });
  });
  return { url: urlOf(home, port, database), port, stop };
}

async function stopServer(home: PostgresHome): Promise<void> {
  if ((await runningServer(home)) !== undefined) await pgStop(home);
  await releaseFile(join(home.dir, 'owner'));
}

/** `fast` is SIGINT: SIGTERM would wait for ever on a session that listens. */
async function pgStop(home: PostgresHome): Promise<void> {
  const stop = (mode: string, seconds: number) =>
    runProgram(
      home.binaries.pgCtl,
      ['stop', '-D', home.clusterDir, '-m', mode, '-w', '-t', String(seconds)],
      home.account,
    );
  await stop('fast', 15).catch(async (error: unknown) => {
    if ((await runningServer(home)) === undefined) return;
    await stop('immediate', 15).catch(() => {
      throw error;
    });
  });
}
