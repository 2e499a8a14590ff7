import { ensureFirstKey, keyFile, readKey } from '#embedded/first-key.js';
import { type Stack, startStack } from '#embedded/stack.js';
import { findRunningStack } from '#embedded/stack-state.js';
import { createWriteStream } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ApiClient } from '../client/api-client.js';
import { CliError } from '../cli-error.js';
import { makeFolder } from '../outputs/output-file.js';
import { stackEnvironment } from './environment.js';
import { watchService } from './watch-service.js';
import { startFailure } from './start-failure.js';

export interface Connection {
  client: ApiClient;
  /** Set when the stack was started for this command and ends with it. */
  ownStack?: { logFile: string };
  /** Stops the stack when it was started for this command. */
  close(): Promise<void>;
}

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
  const log = await openLog(dataDir);
  try {
    const env = await stackEnvironment(dataDir);
    const stack = await startStack({ dataDir, env, fewProcesses: true, onLine: log.write, onTrouble: say });
    void stack.failed.then(fail);
    return watched(await ownConnection(stack, dataDir, log, say), say);
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

async function ownConnection(
  stack: Stack,
  dataDir: string,
  log: StackLog,
  say: (message: string) => void,
): Promise<Connection> {
  const close = async () => {
    await stack.stop();
    log.close();
  };
  try {
    const { key, isNew } = await ensureFirstKey(String(stack.env['DATABASE_URL']), dataDir);
    if (isNew) say(`a tenant and its API key were made; the key is in ${keyFile(dataDir)}`);
    return { client: new ApiClient(stack.url, key), ownStack: { logFile: log.file }, close };
  } catch (error) {
    await close();
    throw error;
  }
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
  return new ApiClient(url.replace(/\/+$/, ''), key);
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
  return new ApiClient(running.url, key);
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

interface StackLog {
  file: string;
  write(name: string, line: string): void;
  close(): void;
}

/** The log of this start; the one before is replaced. */
async function openLog(dataDir: string): Promise<StackLog> {
  const folder = join(resolve(dataDir), 'logs');
  await makeFolder(folder);
  const file = join(folder, 'stack.log');
  const stream = createWriteStream(file, { mode: 0o600 });
  // A full disk ends the log; what is wrong is told by the stack.
  stream.on('error', () => undefined);
  return { file, write: (name, line) => void stream.write(`${name} ${line}\n`), close: () => stream.end() };
}
