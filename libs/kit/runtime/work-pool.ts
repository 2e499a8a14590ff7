import { ThreadLimitError } from '../graph/ports.js';

/** A task exceeded a limit; its thread or process was ended. */
export class WorkLimitError extends ThreadLimitError {}

/** A task exceeded its time limit. */
export class TimeLimitError extends WorkLimitError {
  override readonly name = 'TimeLimitError';
}

/** A task exceeded its memory limit. */
export class MemoryLimitError extends WorkLimitError {
  override readonly name = 'MemoryLimitError';
}

/** Something else on the machine ended a process, so that the task may succeed when it is tried again. */
export class ProcessKilledError extends Error {
  override readonly name = 'ProcessKilledError';
}

/** Runs one module in processes within limits. */
export interface WorkPool {
  /**
   * Runs the worker's function with the given input. The limit counts from the start of the task; time in the
   * queue does not count.
   *
   * @param limitMs in milliseconds
   * @throws TimeLimitError, MemoryLimitError, ProcessKilledError, the signal's reason (which ends the work immediately), or what
   *   the worker threw
   */
  run<T>(input: unknown, limitMs: number, signal?: AbortSignal): Promise<T>;
}

/** Attempts at a task whose process is killed each time. */
const ATTEMPTS = 3;

/**
 * Runs a task again if its process is killed, such as by an operator, or by a machine that is short of memory.
 *
 * @throws the errors of `WorkPool.run`
 */
export async function runDespiteKills<T>(
  pool: WorkPool,
  input: unknown,
  limitMs: number,
  signal: AbortSignal,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await pool.run<T>(input, limitMs, signal);
    } catch (error) {
      if (!(error instanceof ProcessKilledError) || attempt === ATTEMPTS) throw error;
    }
  }
}
