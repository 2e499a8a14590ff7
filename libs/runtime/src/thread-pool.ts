import { Piscina } from 'piscina';

/** A task in a thread took longer than its limit; the thread was ended. */
export class ThreadTimeoutError extends Error {
  override readonly name = 'ThreadTimeoutError';
}

/** The memory one thread may use, in MiB: a hostile input ends its thread, not the process. */
const MAX_OLD_SPACE_MB = 3_072;

/** Threads for CPU-heavy work, so that the event loop stays free to renew locks. */
export class ThreadPool {
  private readonly pool: Piscina;

  /**
   * @param worker URL of a compiled module with a default export
   * @param threads at most this many at once; one is kept warm
   */
  constructor(worker: URL, threads: number) {
    this.pool = new Piscina({
      filename: worker.href,
      minThreads: 1,
      maxThreads: threads,
      idleTimeout: 30_000,
      resourceLimits: { maxOldGenerationSizeMb: MAX_OLD_SPACE_MB },
      // What the process was told to preload is for the process, not for its threads.
      execArgv: [],
    });
    // A thread that is being ended at its limit may run out of memory yet. Its task has been told; unheard, it would end the process.
    this.pool.on('error', () => undefined);
  }

  /**
   * Runs the worker's function with the given input.
   *
   * @throws ThreadTimeoutError past the limit; the signal's reason when it aborts; else what the worker threw
   */
  async run<T>(input: unknown, limitMs: number, signal: AbortSignal): Promise<T> {
    const limit = AbortSignal.timeout(limitMs);
    try {
      return (await this.pool.run(input, { signal: AbortSignal.any([signal, limit]) })) as T;
    } catch (error) {
      if (limit.aborted) throw new ThreadTimeoutError(`not done within ${limitMs / 1000} s`);
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.pool.destroy();
  }
}
