import { CHECKING } from '#config/memory/apart.js';
import { ProcessPool } from './process-pool.js';

interface CheckLimits {
  /** One tenant alone cannot use all processes. */
  tenantId: string;
  /** Computing time in ms. */
  limitMs: number;
  signal?: AbortSignal | undefined;
}

const processes = new ProcessPool({ ...CHECKING, perTenant: CHECKING.processes - 1 });

/**
 * Calls the default export of a compiled module in a child process that starts on demand and ends when it is idle. Use it
 * where a service checks what a tenant wrote with a native parser, which could end the process that it runs in (X20).
 *
 * @param input structured-cloneable
 * @throws WorkLimitError, the signal's reason, or what the module threw
 */
export const checkApart = <T>(module: URL, input: unknown, limits: CheckLimits): Promise<T> =>
  processes.for(module, limits.tenantId).run<T>(input, limits.limitMs, limits.signal);
