import { keyFile, readKey } from '#embedded/key-file.js';
import { findRunningStack } from '#embedded/stack-state.js';
import { setTimeout as delay } from 'node:timers/promises';
import { type ApiClient, createApiClient } from '../client/api-client.js';
import { CliError } from '../cli-error.js';
import type { Connection } from './own-stack.js';
import { watchService } from './watch-service.js';
import { startFailure } from './start-failure.js';

export type { Connection } from './own-stack.js';

/** How long a stack that another process is starting may take, in milliseconds. */
const START_PATIENCE_MS = 60_000;
const POLL_MS = 250;

/**
 * Finds the service to talk to: SCRIPTORIUM_URL with SCRIPTORIUM_API_KEY, else the stack that runs in `dataDir`.
 *
 * @throws CliError when neither is there
 */
export async function connect(dataDir: string): Promise<Connection> {
  const found = (await fromEnvironment()) ?? (await fromRunningStack(dataDir));
  if (found !== undefined) return { client: found, close: async () => undefined };
  throw new CliError(
    'No stack runs here: start one with "scriptorium start", or set SCRIPTORIUM_URL and SCRIPTORIUM_API_KEY.',
  );
}

/**
 * As `connect`, but starts a stack in `dataDir` when none runs. Its logs go to `<dataDir>/logs/stack.log`.
 *
 * @param say told before a stack is started, which takes a few seconds, and when the service gets into trouble
 * @param fail told why the stack that was started here cannot go on
 */
export async function connectOrStart(
  dataDir: string,
  say: (message: string) => void,
  fail: (error: Error) => void,
): Promise<Connection> {
  const found = (await fromEnvironment()) ?? (await fromRunningStack(dataDir));
  if (found !== undefined) return watched({ client: found, close: async () => undefined }, say);
  say('starting the embedded stack');
  // Most commands find a stack that runs: they need not load what starts one.
  const { openLog, startOwnStack } = await import('./own-stack.js');
  const log = await openLog(dataDir);
  try {
    return watched(await startOwnStack(dataDir, log, say, fail), say);
  } catch (error) {
    log.close();
    const other = await startedMeanwhile(dataDir, error);
    if (other !== undefined) return watched({ client: other, close: async () => undefined }, say);
    throw new CliError(
      `The embedded stack did not start: ${startFailure(error as Error)} (more in ${log.file})`,
    );
  }
}

/** Says when the service cannot be used, until the connection is closed. */
function watched(connection: Connection, say: (message: string) => void): Connection {
  const end = watchService(connection.client.url, say);
  const close = async () => {
    await end();
    await connection.close();
  };
  return { ...connection, close };
}

async function fromEnvironment(): Promise<ApiClient | undefined> {
  const url = process.env['SCRIPTORIUM_URL'];
  if (!url) return undefined;
  if (!URL.canParse(url))
    throw new CliError(`SCRIPTORIUM_URL is no URL: write it like http://127.0.0.1:8080.`);
  const key = process.env['SCRIPTORIUM_API_KEY'];
  if (!key)
    throw new CliError(
      'SCRIPTORIUM_URL is set, but SCRIPTORIUM_API_KEY is not: set it to an API key (scr_…).',
    );
  return createApiClient(url.replace(/\/+$/, ''), key);
}

async function fromRunningStack(dataDir: string): Promise<ApiClient | undefined> {
  const running = await findRunningStack(dataDir);
  if (running === undefined) return undefined;
  const key = process.env['SCRIPTORIUM_API_KEY'] || (await readKey(dataDir));
  if (key === undefined) {
    throw new CliError(
      `A stack runs at ${running.url}, but there is no API key in ${keyFile(dataDir)}: set SCRIPTORIUM_API_KEY.`,
    );
  }
  return createApiClient(running.url, key);
}

/** Waits for the stack of another process that holds the data directory but did not answer yet. */
async function startedMeanwhile(dataDir: string, error: unknown): Promise<ApiClient | undefined> {
  if (!/already runs a stack/.test((error as Error).message)) return undefined;
  for (const deadline = Date.now() + START_PATIENCE_MS; Date.now() < deadline; await delay(POLL_MS)) {
    const found =
      (await findRunningStack(dataDir)) && (await readKey(dataDir))
        ? await fromRunningStack(dataDir)
        : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}
