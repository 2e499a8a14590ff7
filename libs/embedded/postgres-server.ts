import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { commandLine, processIdentity } from './owner-file.js';
import { postgresEnv, runProgram } from './postgres-binaries.js';
import type { PostgresHome } from './postgres-home.js';

/** Timeout in ms until a server answers; after a crash it first replays its log. */
export const START_TIMEOUT_MS = 30_000;
export const POLL_MS = 25;
const LOG = 'postgres.log';
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  timezone: 'UTC',
  log_timezone: 'UTC',
  logging_collector: 'off',
};

/** One launch of the server. */
export interface Launched {
  /** Resolves when the server process has ended, with the exit code or signal (`code 1`, `SIGKILL`). */
  ended: Promise<string>;
}

/** Returns the path of the log since the last start of the server. */
export const logFileOf = (home: PostgresHome) => join(home.dir, LOG);

/** Reads process ID and port of this cluster's postmaster from its lock file; undefined if none runs. */
export async function runningServer(home: PostgresHome): Promise<{ pid: number; port: number } | undefined> {
  const lines = (await readFile(join(home.clusterDir, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
  const pid = Number(lines[0]);
  const port = Number(lines[3]);
  if ((await processIdentity(pid)) === undefined || !(port > 0)) return undefined;
  const command = await commandLine(pid);
  return command.includes(home.clusterDir) ? { pid, port } : undefined;
}

/**
 * Starts the server; retries while processes of a killed server still use its shared memory.
 *
 * @throws Error with the end of the server's log if it does not answer within 30 s or the signal is aborted
 */
export async function launch(
  home: PostgresHome,
  port: number,
  settings: Record<string, string>,
  signal?: AbortSignal,
): Promise<Launched> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    const launched = spawnServer(home, port, settings);
    const failure = await comesUp(home, port, launched, deadline, signal);
    if (failure === undefined) return launched;
    const log = (await readFile(logFileOf(home), 'utf8').catch(() => '')).trim();
    const isHeld = log.includes('pre-existing shared memory block');
    if (!isHeld || Date.now() > deadline || signal?.aborted) {
      const tail = log.split('\n').slice(-8).join('\n');
      throw new Error(`PostgreSQL in ${home.dir} did not start: ${failure}\n${tail}`);
    }
    await delay(POLL_MS * 4);
  }
}

function spawnServer(home: PostgresHome, port: number, settings: Record<string, string>): Launched {
  const all = { ...SETTINGS, port: String(port), ...settings };
  const log = openSync(logFileOf(home), 'w', 0o600);
  const child = spawn(
    home.binaries.postgres,
    ['-D', home.clusterDir, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    {
      ...home.account,
      cwd: home.clusterDir,
      env: postgresEnv(),
      stdio: ['ignore', log, log],
      // A separate process group: Ctrl-C must not end the server before the processes that use it.
      detached: true,
    },
  );
  closeSync(log);
  child.unref();
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ?? `code ${String(code)}`));
  });
  return { ended };
}

/** @returns undefined when the server answers, else the reason why it does not */
async function comesUp(
  home: PostgresHome,
  port: number,
  launched: Launched,
  deadline: number,
  signal?: AbortSignal,
): Promise<string | undefined> {
  let ended: string | undefined;
  void launched.ended.then((how) => (ended = how));
  while (!(await answers(home, port))) {
    if (ended !== undefined) return `it ended with ${ended}`;
    if (Date.now() > deadline || signal?.aborted) return 'it does not respond';
    await delay(POLL_MS);
  }
  return undefined;
}

export function urlOf(home: PostgresHome, port: number, database: string): string {
  return `postgres://postgres:${home.password}@127.0.0.1:${port}/${encodeURIComponent(database)}`;
}

export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

export async function answers(home: PostgresHome, port: number): Promise<boolean> {
  return withClient(urlOf(home, port, 'postgres'), async (client) => {
    await client.query('SELECT 1');
    return true;
  }).catch((error: unknown) => {
    // Retrying cannot fix a wrong password.
    if ((error as { code?: string }).code === '28P01') throw error;
    return false;
  });
}

/** Stops the server with `fast` (SIGINT): after SIGTERM it would wait forever for a session in LISTEN. */
export async function pgStop(home: PostgresHome): Promise<void> {
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
