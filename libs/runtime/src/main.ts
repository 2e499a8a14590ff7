import { SettingsError } from '#config/settings.js';
import type { Logger } from '#telemetry/logger.js';

/**
 * Runs an app's start-up. Wrong settings are told in plain words; anything else is logged; both end with exit code 1.
 */
export function main(start: () => Promise<void>): void {
  start().catch((error: unknown) => {
    const text = error instanceof SettingsError ? error.message : String((error as Error).stack ?? error);
    process.stderr.write(`${text}\n`);
    process.exit(1);
  });
}

/** Writes the line that a supervisor waits for, whatever LOG_LEVEL says. */
export function sayReady(log: Logger, fields: Record<string, unknown>): void {
  log.child({}, { level: 'info' }).info({ event: 'ready', ...fields }, 'ready');
}

/** Calls `stop` once at SIGTERM or SIGINT and then ends the process. */
export function stopOnSignal(log: Logger, stop: () => Promise<void>): void {
  let stopping = false;
  const onSignal = (signal: NodeJS.Signals) => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'stopping');
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'stopping failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}
