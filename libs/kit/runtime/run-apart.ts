import { APART, CHECKING, GATEWAY_THREADS } from '#config/memory.js';
import { BUSY_STRETCH } from './computing-limit.js';
import { KeyedSemaphore } from '#engine/tasks/locks.js';
import { ProcessPool } from './process-pool.js';
import { ThreadPool, type ThreadPoolOptions } from './thread-pool.js';

export interface ApartLimits {
  /** One tenant alone cannot use all threads or processes. */
  tenantId: string;
  /** Computing time in ms; outside requests, the elapsed time may be `BUSY_STRETCH` times as long on a busy machine. */
  limitMs: number;
  /**
   * A `thread` is for short code of tenants, a `request_thread` for whole texts that a request waits for, and a process
   * for native parsers, which could end the process that they run in.
   */
  where: 'thread' | 'request_thread' | 'process';
  signal?: AbortSignal | undefined;
}

const threads = fairThreads({ ...APART, stretch: BUSY_STRETCH });
const requestThreads = fairThreads(GATEWAY_THREADS);
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
  if (where === 'process') return processes.for(module, tenantId).run<T>(input, limitMs, signal);
  return (where === 'thread' ? threads : requestThreads)<T>(module, input, limits);
}

/** Returns a function that runs modules in threads, of which it leaves one to other tenants. */
function fairThreads(options: ThreadPoolOptions) {
  const pool = new ThreadPool(options);
  const places = new KeyedSemaphore(options.threads - 1);
  return <T>(module: URL, input: unknown, { tenantId, limitMs, signal }: ApartLimits): Promise<T> =>
    places.within(tenantId, signal, () => pool.run<T>(module, input, limitMs, signal));
}
