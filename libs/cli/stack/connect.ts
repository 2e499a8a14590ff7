import { withoutEndSlashes } from '#contracts/text.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { translate } from '../language.js';
import { keyFile, readKey } from '#embedded/first-key.js';
import { findRunningStack } from '#embedded/owner-file.js';
import { setTimeout as delay } from 'node:timers/promises';
import { type ApiClient, createApiClient } from '../client/api-client.js';
import { CliError } from '../cli-error.js';
import type { Connection } from './own-stack.js';
import { watchService } from './watch-service.js';

export type { Connection } from './own-stack.js';

/** Time limit for a stack that another process starts, in milliseconds. */
const START_TIMEOUT_MS = 60_000;
const POLL_MS = 250;

/**
 * Connects to SCRIPTORIUM_URL with SCRIPTORIUM_API_KEY, else to the stack that runs in `dataDir`.
 *
 * @throws CliError when there is neither
 */
export async function connect(dataDir: string): Promise<Connection> {
  const found = (await fromEnvironment()) ?? (await fromRunningStack(dataDir));
  if (found !== undefined) return { client: found, close: async () => undefined };
  throw new CliError(phrase('cli_error.no_stack'));
}

/**
 * Like `connect`, but starts a stack in `dataDir` if none runs. Its log is `<dataDir>/logs/stack.log`.
 *
 * @param say called before a stack is started, which lasts a few seconds, and when the service has a problem
 * @param fail called with the error that ends a stack started here
 */
export async function connectOrStart(
  dataDir: string,
  say: (message: string) => void,
  fail: (error: Error) => void,
): Promise<Connection> {
  const found = (await fromEnvironment()) ?? (await fromRunningStack(dataDir));
  if (found !== undefined) return watched({ client: found, close: async () => undefined }, say);
  say(translate(phrase('cli.starting_stack')));
  // Load the code that starts a stack only if needed: most commands find a running one.
  const { openLog, startOwnStack } = await import('./own-stack.js');
  const log = await openLog(dataDir);
  try {
    return watched(await startOwnStack(dataDir, log, say, fail), say);
  } catch (error) {
    log.close();
    const other = await waitForOtherStack(dataDir, error);
    if (other !== undefined) return watched({ client: other, close: async () => undefined }, say);
    throw new CliError(
      phrase('cli_error.start_failed_log', { reason: startFailure(error as Error), file: log.file }),
    );
  }
}

/** Reports when the service is not ready, until the connection is closed. */
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
  if (!URL.canParse(url)) throw new CliError(phrase('cli_error.invalid_url'));
  const key = process.env['SCRIPTORIUM_API_KEY'];
  if (!key) throw new CliError(phrase('cli_error.no_key'));
  return createApiClient(withoutEndSlashes(url), key);
}

async function fromRunningStack(dataDir: string): Promise<ApiClient | undefined> {
  const running = await findRunningStack(dataDir);
  if (running === undefined) return undefined;
  const key = process.env['SCRIPTORIUM_API_KEY'] || (await readKey(dataDir));
  if (key === undefined) {
    throw new CliError(phrase('cli_error.no_key_file', { url: running.url, file: keyFile(dataDir) }));
  }
  return createApiClient(running.url, key);
}

/** Waits for a stack that another process starts in the data directory; undefined if that does not happen. */
async function waitForOtherStack(dataDir: string, error: unknown): Promise<ApiClient | undefined> {
  if (!(error as Error).message.includes('already runs a stack')) return undefined;
  for (const deadline = Date.now() + START_TIMEOUT_MS; Date.now() < deadline; await delay(POLL_MS)) {
    const found =
      (await findRunningStack(dataDir)) && (await readKey(dataDir))
        ? await fromRunningStack(dataDir)
        : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Returns in one line why a stack did not start: the first line of the error and the output of the process
 * that ended, without its JSON log lines and stack traces.
 */
export function startFailure(error: Error): string {
  const [first = '', ...output] = error.message.split('\n');
  const reasons = output
    .filter((line) => !/^\s+at |^\{|^Node\.js v|^\s*$/.test(line))
    .map((line) => line.trim());
  return [first, ...reasons].join(' ');
}
