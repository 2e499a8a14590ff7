import type { Logger } from '#telemetry/logger.js';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * A service that can do before its first task what would make this one slow: loading code, starting threads, asking the database for nothing.
 * The client of the database compiles itself, in every process, for its first query, and makes its plan for each query when it is first asked.
 */
export interface WarmsUp {
  warmUp(signal: AbortSignal): Promise<unknown>;
}

/** What else is started with this process comes first. */
const PAUSE_MS = 300;

/**
 * Warms services up, one after the other, once the process has become ready; those that cannot be warmed up are passed over. One that fails stays
 * cold and works all the same.
 *
 * @returns ends it
 */
export function warmUpSoon(services: readonly object[], log: Logger): () => void {
  const cold = services.filter((service): service is WarmsUp => 'warmUp' in service);
  if (cold.length === 0) return () => undefined;
  const ending = new AbortController();
  const { signal } = ending;
  const warm = async () => {
    await delay(PAUSE_MS, undefined, { signal, ref: false });
    for (const service of cold) {
      await service.warmUp(signal).catch((error: unknown) => {
        if (!signal.aborted) log.warn({ err: error }, 'warming up failed');
      });
      signal.throwIfAborted();
    }
    log.info({ event: 'warm' }, 'warmed up');
  };
  warm().catch(() => undefined); // ended
  return () => ending.abort();
}
