import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { type SpaceOf, tooFull } from './disk-space.js';
import type { OwnServer } from './postgres.js';

/** Time in ms during which a server that ends while starting is restarted. */
const TIMEOUT_MS = 4_000;
/** After this time in ms, a server that is still starting is reported. */
const LONG_MS = 5_000;
const PAUSE_MS = 500;

interface KeeperOptions {
  spaceOf: SpaceOf;
  /** Called with one sentence when the server ends, starts slowly or runs again. */
  warn(message: string): void;
  /** Called once if the server cannot be kept running, with the reason and what to do. */
  fail(error: Error): void;
}

/**
 * Restarts an embedded PostgreSQL at the same port whenever it ends, whatever the cause.
 *
 * @returns a function that ends the supervision; call it before the server is stopped
 */
export function supervisePostgres(server: OwnServer, options: KeeperOptions): () => Promise<void> {
  const stopping = new AbortController();
  const kept = keep(server, options, stopping.signal);
  return async () => {
    stopping.abort();
    await kept;
  };
}

async function keep(server: OwnServer, options: KeeperOptions, signal: AbortSignal): Promise<void> {
  const stopped = new Promise<undefined>((resolve) => {
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  for (;;) {
    const how = await Promise.race([server.ended(), stopped]);
    if (how === undefined || signal.aborted) return;
    options.warn(`PostgreSQL exited unexpectedly (${how}); restarting it`);
    const failure = await restart(server, options, signal);
    if (signal.aborted) return;
    if (failure !== undefined) return options.fail(failure);
    options.warn('PostgreSQL is running again; runs resume where they stopped');
  }
}

/** @returns why the server cannot be started; undefined if it runs */
async function restart(
  server: OwnServer,
  { warn, spaceOf }: KeeperOptions,
  signal: AbortSignal,
): Promise<Error | undefined> {
  const slow = setTimeout(
    () => warn('PostgreSQL is not ready yet: it is recovering from the crash; please wait'),
    LONG_MS,
  );
  try {
    for (const deadline = Date.now() + TIMEOUT_MS; ; await delay(PAUSE_MS)) {
      const error = await server.relaunch(signal).then(
        () => undefined,
        (failure: Error) => failure,
      );
      if (error === undefined || signal.aborted) return undefined;
      const full = tooFull(server.dir, await spaceOf(server.dir));
      if (full !== undefined) return new Error(`PostgreSQL cannot run, because ${full}.`);
      if (Date.now() > deadline) return new Error(await brokenServer(server, error));
    }
  } finally {
    clearTimeout(slow);
  }
}

async function brokenServer(server: OwnServer, error: Error): Promise<string> {
  const lines = (await readFile(server.logFile, 'utf8').catch(() => error.message)).trim().split('\n');
  const cause = lines.findLast((line) => /FATAL|PANIC/.test(line)) ?? lines.slice(-3).join(' ');
  return (
    `PostgreSQL exited and cannot be restarted (${cause}). See its log, ${server.logFile}; ` +
    'fix the cause and start again: committed data is safe.'
  );
}
