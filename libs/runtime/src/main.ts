import { SettingsError } from '#config/settings.js';
import { StorageUnavailableError } from '#storage/object-store.js';
import { createLogger, type Logger } from '#telemetry/logger.js';
import { once } from 'node:events';

/** A parent that sets START_WHEN_TOLD lets the process load its code while what this needs is still starting. */
const told = process.env['START_WHEN_TOLD']
  ? once(process, 'message').then(() => process.disconnect())
  : Promise.resolve();

/**
 * Runs an app's start-up, once its parent lets it. Wrong settings and an object store that cannot be used are reported in one line, any other error with its stack;
 * the exit code is 1.
 *
 * @param app names the app in the log, as its own lines do
 */
export function main(app: string, start: () => Promise<void>): void {
  logWarnings(createLogger(app));
  told.then(start).catch((error: unknown) => {
    // The stop has already closed connections that the start needs.
    if (stopping) return;
    const isPlain = error instanceof SettingsError || error instanceof StorageUnavailableError;
    const text = isPlain ? error.message : String((error as Error).stack ?? error);
    process.stderr.write(`${text}\n`);
    process.exit(1);
  });
}

/** Writes what Node and packages warn of as lines of the log, which has one JSON object a line; Node's own would be plain text. */
export function logWarnings(log: Logger): void {
  process.removeAllListeners('warning');
  process.on('warning', (warning) => log.warn({ err: warning, warning: warning.message }, 'warning'));
}

/** Writes the line that a supervisor waits for, whatever LOG_LEVEL says. */
export function sayReady(log: Logger, fields: Record<string, unknown>): void {
  log.child({}, { level: 'info' }).info({ event: 'ready', ...fields }, 'ready');
}

/** Milliseconds until a process ends although an app has not stopped: BullMQ cannot stop without its Redis. */
const STOP_LIMIT_MS = 30_000;

/** What ends the apps of this process, which is one of them or several. */
const stops: { log: Logger; stop(): Promise<void> }[] = [];
let stopping = false;

/** Calls `stop` once at SIGTERM or SIGINT, beside those of other apps in the process, and then ends the process. */
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
        log.error({ err: error }, 'stopping failed');
        return false;
      },
    );
  };
  const limit = setTimeout(() => {
    const [first] = stops;
    first!.log.error(
      'failed to stop in time: the process ends; others take over its work when its leases have run out',
    );
    process.exit(1);
  }, STOP_LIMIT_MS).unref();
  void Promise.all(stops.map(stopOne)).then((stopped) => {
    clearTimeout(limit);
    process.exit(stopped.includes(false) ? 1 : 0);
  });
}
