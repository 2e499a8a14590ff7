import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from './free-port.js';
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

/** How long a server may take to end after it was told to. */
const STOP_TIMEOUT_MS = 15_000;

/** A running PostgreSQL server of this machine. */
export interface EmbeddedPostgres {
  /** `postgres://` URL of the database asked for, with the password. */
  url: string;
  port: number;
  /** Stops the server (fast: open sessions are ended). Does nothing when another process owns the server. */
  stop(): Promise<void>;
  /** The server's process; undefined when another process owns it. */
  own?: OwnServer;
}

/** The process of a server that this one has started. */
export interface OwnServer {
  /** Folder with the cluster. */
  dir: string;
  /** File with what the server said since it was started last. */
  logFile: string;
  /** Resolves when the process that runs now is gone, with how it ended (`code 1`, `SIGKILL`). */
  ended(): Promise<string>;
  /**
   * Starts the server anew at the same port after it ended.
   *
   * @throws Error with the end of its log when it does not come up within 30 s, or the signal is aborted
   */
  relaunch(signal: AbortSignal): Promise<void>;
  /** Writes to the disk what the stop would have to write, while the server is still in use. @throws Error when it cannot, or is stopped before */
  checkpoint(): Promise<void>;
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

/** A server that is to be started: its address is known already, so that what uses it can be made ready meanwhile. */
export interface PreparedPostgres {
  url: string;
  /** @throws Error with the end of the server's log when it does not come up within 30 s */
  start(): Promise<EmbeddedPostgres>;
}

/**
 * Starts the PostgreSQL that comes with npm in `dataDir`, listening on 127.0.0.1 only and with a random password.
 *
 * A server left behind by a killed owner is stopped and started anew; one whose owner lives is shared.
 *
 * @throws Error with the end of the server's log when it does not come up within 30 s
 */
export async function startPostgres(options: PostgresOptions): Promise<EmbeddedPostgres> {
  return (await preparePostgres(options)).start();
}

/** As `startPostgres`, up to the start, which has to follow: the folder is this process's own from here on. */
export async function preparePostgres(options: PostgresOptions): Promise<PreparedPostgres> {
  const home = await prepareHome(options.dataDir, options.say ?? (() => undefined));
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
    return choosePort(home, options.port);
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
      // Someone who shares the server made it in between.
      if (!['42P04', '23505'].includes((error as { code?: string }).code ?? '')) throw error;
    });
  });
  return { url: urlOf(home, port, database), port, stop };
}

async function stopServer(home: PostgresHome, own?: OwnServer): Promise<void> {
  const server = await runningServer(home);
  // pg_ctl looks ten times a second whether the server is gone; of one that was started here its end is told.
  if (server !== undefined && own !== undefined) await endBySignal(server.pid, own);
  if ((await runningServer(home)) !== undefined) await pgStop(home);
  await releaseFile(join(home.dir, 'owner'));
}

/** Waits for the end, if it comes in time; `fast` is SIGINT, since SIGTERM would wait for ever on a session that listens. */
async function endBySignal(pid: number, own: OwnServer): Promise<void> {
  try {
    process.kill(pid, 'SIGINT');
  } catch {
    return; // gone, or not ours to tell
  }
  const over = new AbortController();
  const late = delay(STOP_TIMEOUT_MS, undefined, { signal: over.signal }).catch(() => undefined);
  await Promise.race([own.ended(), late]);
  over.abort();
}
