import { APART, CHECKING } from '#config/memory.js';
import { BUSY_STRETCH } from './computing-limit.js';
import { KeyedSemaphore } from '#engine/tasks/locks.js';
import { ProcessPool } from './process-pool.js';
import { ThreadPool } from './thread-pool.js';

interface ApartLimits {
  /** One tenant alone cannot use all threads or processes. */
  tenantId: string;
  /** Computing time in ms; the elapsed time may be `BUSY_STRETCH` times as long on a busy machine. */
  limitMs: number;
  /** A process is for native parsers, which could end the process that they run in. */
  where: 'thread' | 'process';
  signal?: AbortSignal | undefined;
}

const threads = new ThreadPool({ ...APART, stretch: BUSY_STRETCH });
const places = new KeyedSemaphore(APART.threads - 1);
const processes = new ProcessPool({ ...CHECKING, perTenant: CHECKING.processes - 1 });

/**
 * Calls the default export of a compiled module outside the event loop, in a thread or a process that is ended at the
 * limits; both start on demand. Use it for everything that a tenant writes as code, such as schemas, expressions and
 * patterns: no event loop that serves other tenants evaluates it (X20). Tools that only compute run in the processes of
 * a worker instead (`ComputePool`).
 *
 * @param input structured-cloneable
 * @throws WorkLimitError, ProcessKilledError, the signal's reason, or what the module threw
 */
export function runApart<T>(module: URL, input: unknown, limits: ApartLimits): Promise<T> {
  const { tenantId, limitMs, where, signal } = limits;
  return where === 'process'
    ? processes.for(module, tenantId).run<T>(input, limitMs, signal)
    : places.within(tenantId, signal, () => threads.run<T>(module, input, limitMs, signal));
}
