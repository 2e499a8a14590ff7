import { taskJobSchema } from '#contracts/jobs.js';
import { JobPostponedError, type JobProcessor } from '#engine/queue/job-worker.js';
import { KeyedSemaphore } from './keyed-semaphore.js';

/** Places of a worker that one tenant alone cannot occupy. */
export const RESERVED_PLACES = 3;
/** Average wait in ms of a task over its tenant's limit. Its place then serves the next task of the queue. */
const WAIT_MS = 60;
/** The wait already bounds how often a task returns to its queue. */
const DELAY_MS = 1;
/** Turns that a task over the limit lets pass, because tasks of other tenants may be behind it. */
const TURNS = 3;

/**
 * Limits the concurrent tasks of each tenant, so that the places above the limit serve other tenants during a
 * flood. A task over the limit waits for a place of its tenant. It returns to its queue, some turns later, after a
 * while, or as soon as another tenant's task arrives, because that tenant may have more tasks in the queue.
 *
 * @param limit concurrent tasks of one tenant
 * @param waitMs average wait; it varies, so that the reserved places do not all wait at the same time
 */
export function limitTenants(processor: JobProcessor, limit: number, waitMs = WAIT_MS): JobProcessor {
  const places = new KeyedSemaphore(limit);
  const waiting = new Map<AbortController, string>();
  const postpone = (controller: AbortController) => controller.abort(new JobPostponedError(DELAY_MS, TURNS));
  const begin = (controller: AbortController, tenant: string) => {
    waiting.delete(controller);
    for (const [other, itsTenant] of waiting) if (itsTenant !== tenant) postpone(other);
  };
  return {
    process: async (job, signal) => {
      const { tenant_id, run_id } = taskJobSchema.parse(job.data);
      const tenant = tenant_id ?? run_id;
      const controller = new AbortController();
      if (!places.isFree(tenant)) waiting.set(controller, tenant);
      const timer = setTimeout(() => postpone(controller), waitMs * (0.5 + Math.random()));
      try {
        await places.within(tenant, AbortSignal.any([signal, controller.signal]), () => {
          clearTimeout(timer);
          begin(controller, tenant);
          return processor.process(job, signal);
        });
      } finally {
        clearTimeout(timer);
        waiting.delete(controller);
      }
    },
    onStop: () => processor.onStop?.(),
  };
}
