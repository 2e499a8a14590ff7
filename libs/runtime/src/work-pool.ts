import type { Transferable } from 'node:worker_threads';

/** A task took longer than its limit; what worked on it was ended. */
export class TimeLimitError extends Error {
  override readonly name = 'TimeLimitError';
}

/** A task needed more memory than it may have; what worked on it was ended. */
export class MemoryLimitError extends Error {
  override readonly name = 'MemoryLimitError';
}

/** Work away from the event loop, within limits: in threads (`ThreadPool`) or in processes (`ProcessPool`). */
export interface WorkPool {
  /**
   * Runs the worker's function with the given input. The limit counts from when the task is taken up, so that nobody pays for those before.
   *
   * @param transfer what of the input threads are handed instead of a copy
   * @throws TimeLimitError, MemoryLimitError; the signal's reason when it aborts, which ends the work at once; else what the worker threw
   */
  run<T>(input: unknown, limitMs: number, signal?: AbortSignal, transfer?: Transferable[]): Promise<T>;
  close(): Promise<void>;
}
