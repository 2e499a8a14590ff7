import type { Transferable } from 'node:worker_threads';

/** A task exceeded a limit; its thread or process was ended. */
export class WorkLimitError extends Error {}

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

/** Runs work outside the event loop within limits, in threads (`ThreadPool`) or processes (`ProcessPool`). */
export interface WorkPool {
  /**
   * Runs the worker's function with the given input. The limit counts from the start of the task; time in the
   * queue does not count.
   *
   * @param limitMs in milliseconds
   * @param transfer parts of the input that threads receive without a copy
   * @throws TimeLimitError, MemoryLimitError, ProcessKilledError, the signal's reason (which ends the work immediately), or what
   *   the worker threw
   */
  run<T>(input: unknown, limitMs: number, signal?: AbortSignal, transfer?: Transferable[]): Promise<T>;
}
