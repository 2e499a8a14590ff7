import { APART } from '#config/memory/apart.js';
import { compiledModule } from './compiled-module.js';
import { BUSY_STRETCH } from './computing-limit.js';
import { KeyedSemaphore } from './keyed-semaphore.js';
import type { ModuleCall } from './module.worker.js';
import { ThreadPool } from './thread-pool.js';

interface ApartLimits {
  /** One tenant alone cannot use all threads. */
  tenantId: string;
  /** Computing time in ms; the elapsed time may be `BUSY_STRETCH` times as long on a busy machine. */
  limitMs: number;
  signal?: AbortSignal | undefined;
}

const threads = new ThreadPool(new URL('./module.worker.js', import.meta.url), {
  threads: APART.threads,
  memoryMb: APART.memoryMb,
  stretch: BUSY_STRETCH,
});
const places = new KeyedSemaphore(APART.threads - 1);

/**
 * Calls the default export of a compiled module outside the event loop, in a thread that is ended at the limits. Use it
 * for everything that a tenant writes as code, such as schemas, expressions and patterns: no event loop that serves
 * other tenants evaluates it (X20). Tools that only compute run in processes instead (`ComputePool`).
 *
 * @param input structured-cloneable
 * @throws TimeLimitError, MemoryLimitError, the signal's reason, or what the module threw
 */
export function runApart<T>(module: URL, input: unknown, limits: ApartLimits): Promise<T> {
  const call: ModuleCall = { module: compiledModule(module).href, input };
  return places.within(limits.tenantId, limits.signal, () =>
    threads.run<T>(call, limits.limitMs, limits.signal),
  );
}
