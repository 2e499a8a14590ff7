import { waitFor } from '#contracts/wait.js';
import { StorageUnavailableError, type ObjectStore } from '#storage/object-store.js';
import type { Logger } from '#telemetry/logger.js';
import { processMetrics } from '#telemetry/metrics.js';

/** Milliseconds within which a store has to answer a check. */
const LIMIT_MS = 5_000;

/** Returns the store with a check that measures whether it can be used, and logs each change of that. */
export function watchStore(store: ObjectStore, log: Logger): ObjectStore {
  let isUp: boolean | undefined;
  const note = (now: boolean, error?: unknown) => {
    processMetrics.objectStoreUp.set(now ? 1 : 0);
    // The message of a check quotes no tenant's text.
    const reason = error instanceof StorageUnavailableError ? error.message : undefined;
    if (!now && isUp !== false) log.error({ err: error, reason }, 'the object store cannot be used');
    if (now && isUp === false) log.info({}, 'the object store can be used again');
    isUp = now;
  };
  const check = async () => {
    const onLate = () =>
      new StorageUnavailableError(`The object store did not answer within ${LIMIT_MS / 1_000} s.`);
    try {
      await waitFor(store.check(), undefined, LIMIT_MS, onLate);
      note(true);
    } catch (error) {
      note(false, error);
      throw error;
    }
  };
  return { ...store, check };
}
