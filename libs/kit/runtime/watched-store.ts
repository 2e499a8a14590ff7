import { waitFor } from '#contracts/wait.js';
import { StorageUnavailableError, type ObjectStore } from '#storage/object-store.js';
import type { Logger } from '#telemetry/logger.js';
import { processMetrics } from '#telemetry/metrics.js';

/** Time limit of a check, in ms. */
const LIMIT_MS = 5_000;

/** Returns the store with a check that also sets the metric of its availability and logs each change. */
export function watchStore(store: ObjectStore, log: Logger): ObjectStore {
  let isUp: boolean | undefined;
  const reportState = (now: boolean, error?: unknown) => {
    processMetrics.objectStoreUp.set(now ? 1 : 0);
    // A check's message contains no tenant's text.
    const reason = error instanceof StorageUnavailableError ? error.message : undefined;
    if (!now && isUp !== false) log.error({ err: error, reason }, 'the object store is unavailable');
    if (now && isUp === false) log.info({}, 'the object store is available again');
    isUp = now;
  };
  const check = async () => {
    const onLate = () =>
      new StorageUnavailableError(`The object store did not respond within ${LIMIT_MS / 1_000} s.`);
    try {
      await waitFor(store.check(), undefined, LIMIT_MS, onLate);
      reportState(true);
    } catch (error) {
      reportState(false, error);
      throw error;
    }
  };
  return { ...store, check };
}
