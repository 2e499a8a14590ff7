import { SettingsError } from '#config/settings.js';
import { StorageUnavailableError } from '#storage/object-store.js';
import { createLogger, type Logger } from '#telemetry/logger.js';
import { once } from 'node:events';
import { requireEveryKind } from '#catalogue/registry.js';
import type { KindFacts, KnownKinds } from '#engine/kind.js';

/**
 * Returns the facts about the kinds of run of an app's features.
 *
 * @param file the app's list of features, for the error
 * @throws Error if a kind with a contract is missing
 */
export function kindsOf(features: readonly { facts?: KindFacts }[], file: string): KnownKinds {
  const kinds = new Map(features.flatMap(({ facts }) => (facts ? [[facts.kind, facts] as const] : [])));
  requireEveryKind((kind) => kinds.has(kind), file);
  return kinds;
}

/**
 * If WAIT_FOR_START_MESSAGE is set, the process loads its code immediately, but waits for a message of its parent, which
 * starts the services that the process needs.
 */
const startMessage = process.env['WAIT_FOR_START_MESSAGE']
  ? once(process, 'message').then(() => process.disconnect())
  : Promise.resolve();

/**
 * Runs an app's start-up, after the start message if the parent sends one. Prints any error to stderr and
 * exits with 1: for invalid settings and an unusable object store only the message, otherwise the stack.
 *
 * @param app name of the app in the log
 */
export function main(app: string, start: () => Promise<void>): void {
  logWarnings(createLogger(app));
  startMessage.then(start).catch((error: unknown) => {
    // The shutdown has already closed connections that the start-up uses.
    if (stopping) return;
    const isPlain = error instanceof SettingsError || error instanceof StorageUnavailableError;
    const text = isPlain ? error.message : String((error as Error).stack ?? error);
    process.stderr.write(`${text}\n`);
    process.exit(1);
  });
}

/** Logs warnings of Node and packages as JSON, like all other lines; Node would print plain text. */
export function logWarnings(log: Logger): void {
  process.removeAllListeners('warning');
  process.on('warning', (warning) => log.warn({ err: warning, warning: warning.message }, 'warning'));
}

/** Logs the line that a supervisor waits for, regardless of LOG_LEVEL. */
export function logReady(log: Logger, fields: Record<string, unknown>): void {
  log.child({}, { level: 'info' }).info({ event: 'ready', ...fields }, 'ready');
}

/** Time limit of a shutdown in ms, because BullMQ cannot stop without its Redis. */
const STOP_LIMIT_MS = 30_000;

/** Shutdown functions of the apps in this process. */
const stops: { log: Logger; stop(): Promise<void> }[] = [];
let stopping = false;

/**
 * Registers a shutdown function. SIGTERM or SIGINT calls the functions of all apps in the process
 * concurrently, then ends the process.
 */
export function stopOnSignal(log: Logger, stop: () => Promise<void>): void {
  stops.push({ log, stop });
  if (stops.length > 1) return;
  process.on('SIGTERM', stopAll);
  process.on('SIGINT', stopAll);
}

function stopAll(signal: NodeJS.Signals): void {
  if (stopping) return;
  stopping = true;
  const stopOne = async ({ log, stop }: (typeof stops)[number]): Promise<boolean> => {
    log.info({ signal }, 'stopping');
    return stop().then(
      () => true,
      (error: unknown) => {
        log.error({ err: error }, 'failed to stop');
        return false;
      },
    );
  };
  const limit = setTimeout(() => {
    const [first] = stops;
    first!.log.error(
      'failed to stop in time; exiting. Other processes will continue the work when the leases expire',
    );
    process.exit(1);
  }, STOP_LIMIT_MS).unref();
  void Promise.all(stops.map(stopOne)).then((stopped) => {
    clearTimeout(limit);
    process.exit(stopped.includes(false) ? 1 : 0);
  });
}
