import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { claimFile, releaseFile } from './owner-file.js';
import { type PostgresHome, prepareHome } from './postgres-home.js';
import {
  answers,
  launch,
  type Launched,
  logFileOf,
  pgStop,
  POLL_MS,
  runningServer,
  START_TIMEOUT_MS,
  urlOf,
  withClient,
} from './postgres-server.js';
import { createServer } from 'node:net';

/** Timeout in ms for the server to end after a stop signal. */
const STOP_TIMEOUT_MS = 15_000;

/** A running PostgreSQL server on this machine. */
export interface EmbeddedPostgres {
  /** `postgres://` URL of the requested database, with the password. */
  url: string;
  port: number;
  /** Stops the server (fast: open sessions are ended). No-op if another process owns the server. */
  stop(): Promise<void>;
  /** Server process; undefined if another process owns it. */
  own?: OwnServer;
}

/** Server process that this process started. */
export interface OwnServer {
  /** Folder with the cluster. */
  dir: string;
  /** Log since the last start of the server. */
  logFile: string;
  /**
   * Resolves when the current server process has ended, with the exit code or signal (`code 1`, `SIGKILL`).
   */
  ended(): Promise<string>;
  /**
   * Restarts the server at the same port after it ended.
   *
   * @throws Error with the end of its log if it does not answer within 30 s or the signal is aborted
   */
  relaunch(signal: AbortSignal): Promise<void>;
  /**
   * Runs CHECKPOINT while the server is still in use, so that a later stop has less to write.
   *
   * @throws Error if it fails or the server is stopped before
   */
  checkpoint(): Promise<void>;
}

interface PostgresOptions {
  /** Folder that only this server uses; created if missing. */
  dataDir: string;
  /** TCP port on 127.0.0.1; by default the last one used, or a free one. */
  port?: number;
  /** Port on which another server will listen. */
  takenPort?: number;
  /** Database to create and connect to; `scriptorium` by default. */
  database?: string;
  /** Server settings, such as `{ fsync: 'off' }`. */
  settings?: Record<string, string>;
  /** Folder with the template of a new cluster (`templateName`); without it, initdb creates the cluster. */
  templates?: string;
  /** Called with a sentence of interest to the user. */
  say?: (message: string) => void;
}

/** Server that has yet to be started. Its URL is known, so that its clients can be prepared in parallel. */
export interface PreparedPostgres {
  url: string;
  /** @throws Error with the end of the server's log if it does not answer within 30 s */
  start(): Promise<EmbeddedPostgres>;
}

/**
 * Starts the PostgreSQL from npm in `dataDir`, listening only on 127.0.0.1 and with a random password.
 *
 * A server whose owner was killed is stopped and restarted; one whose owner still runs is shared.
 *
 * @throws Error with the end of the server's log if it does not answer within 30 s
 */
export async function startPostgres(options: PostgresOptions): Promise<EmbeddedPostgres> {
  return (await preparePostgres(options)).start();
}

/** Like `startPostgres`, up to the start. The caller must call `start`: this process now owns the folder. */
export async function preparePostgres(options: PostgresOptions): Promise<PreparedPostgres> {
  const home = await prepareHome(options.dataDir, options.say ?? (() => undefined), options.templates);
  const database = options.database ?? 'scriptorium';
  const shared = await claim(home);
  if (shared !== undefined) {
    const share = () => connectTo(home, shared, database, async () => undefined);
    return { url: urlOf(home, shared, database), start: share };
  }
  const orStopped = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      await stopServer(home);
      throw error;
    }
  };
  const port = await orStopped(async () => {
    await stopOrphan(home);
    return choosePort(home, options);
  });
  const start = async () => {
    const settings = options.settings ?? {};
    const own = ownServer(home, port, settings, await launch(home, port, settings));
    const connected = await connectTo(home, port, database, () => stopServer(home, own));
    return { ...connected, own };
  };
  return { url: urlOf(home, port, database), start: () => orStopped(start) };
}

/**
 * Makes this process the owner of the cluster.
 *
 * @returns the port of a server whose owner still runs, to be shared; undefined if this process is now the
 * owner
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
        `Process ${owner} uses ${home.dir}, but its PostgreSQL does not start. Stop the process first.`,
      );
    }
    await delay(POLL_MS);
  }
}

async function stopOrphan(home: PostgresHome): Promise<void> {
  if ((await runningServer(home)) === undefined) {
    await rm(join(home.clusterDir, 'postmaster.pid'), { force: true });
    return;
  }
  await pgStop(home);
}

async function choosePort(
  home: PostgresHome,
  { port: asked = 0, takenPort }: PostgresOptions,
): Promise<number> {
  if (asked > 0) return asked;
  const file = join(home.dir, 'port');
  const last = Number(await readFile(file, 'utf8').catch(() => ''));
  const port = await freePort(last, takenPort);
  await writeFile(file, String(port));
  return port;
}

function ownServer(
  home: PostgresHome,
  port: number,
  settings: Record<string, string>,
  first: Launched,
): OwnServer {
  let launched = first;
  return {
    dir: home.dir,
    logFile: logFileOf(home),
    ended: () => launched.ended,
    async relaunch(signal) {
      await stopOrphan(home);
      launched = await launch(home, port, settings, signal);
    },
    async checkpoint() {
      await withClient(urlOf(home, port, 'postgres'), (client) => client.query('CHECKPOINT'));
    },
  };
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
      // Another process that shares the server created it in the meantime.
      if (!['42P04', '23505'].includes((error as { code?: string }).code ?? '')) throw error;
    });
  });
  return { url: urlOf(home, port, database), port, stop };
}

async function stopServer(home: PostgresHome, own?: OwnServer): Promise<void> {
  const server = await runningServer(home);
  // pg_ctl polls ten times a second; the end of a child process is reported immediately.
  if (server !== undefined && own !== undefined) await endBySignal(server.pid, own);
  if ((await runningServer(home)) !== undefined) await pgStop(home);
  await releaseFile(join(home.dir, 'owner'));
}

/** Sends SIGINT, waits at most STOP_TIMEOUT_MS. SIGTERM would wait forever for a session in LISTEN. */
async function endBySignal(pid: number, own: OwnServer): Promise<void> {
  try {
    process.kill(pid, 'SIGINT');
  } catch {
    return; // already ended, or not our process
  }
  const over = new AbortController();
  const late = delay(STOP_TIMEOUT_MS, undefined, { signal: over.signal }).catch(() => undefined);
  await Promise.race([own.ended(), late]);
  over.abort();
}

/**
 * Returns a TCP port on 127.0.0.1 on which no process listens right now.
 *
 * @param preferred returned if it is free; if it is missing, 0 or in use, the system chooses
 * @param taken never returned: another server will listen on it
 */
export async function freePort(preferred = 0, taken = 0): Promise<number> {
  if (preferred > 0 && preferred !== taken) {
    const port = await tryListen(preferred).catch(() => undefined);
    if (port !== undefined) return port;
  }
  const port = await tryListen(0);
  return port === taken ? freePort(0, taken) : port;
}

function tryListen(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      const chosen = typeof address === 'object' && address !== null ? address.port : port;
      server.close(() => resolve(chosen));
    });
  });
}
