import { Piscina } from 'piscina';
import type { Transferable } from 'node:worker_threads';
import { compiledModule } from './compiled-module.js';
import { computingLimit, type ComputingClock } from './computing-limit.js';
import { KeyedSemaphore } from './keyed-semaphore.js';
import { MemoryLimitError, TimeLimitError, type WorkPool } from './work-pool.js';

export interface ThreadPoolOptions {
  /** At most this many at once, one of them kept warm; more tasks wait for their turn. */
  threads: number;
  /** The first thread starts with the first task: for what many services are never asked for. */
  whenNeeded?: boolean;
  /** The heap that one thread may use, in MiB: a hostile input ends its thread, not the process. */
  memoryMb: number;
  /** The stack of a thread, in MiB, for what recurses as deeply as its input nests. */
  stackMb?: number;
  /**
   * How many times its limit a task may last while other processes have the cores: what a busy machine makes slow is not too hard yet. All
   * time counts without it, as it has to where a client waits for the answer.
   */
  stretch?: number;
  /** Replaces the clock of the process in tests. */
  clock?: ComputingClock;
}

/** Threads for work whose time depends on what tenants send, so that the event loop stays free to renew locks and to serve others. */
export class ThreadPool implements WorkPool {
  private started: Piscina | undefined;
  private readonly places: KeyedSemaphore;

  /** @param worker URL of a compiled module with a default export */
  constructor(
    private readonly worker: URL,
    private readonly options: ThreadPoolOptions,
  ) {
    this.places = new KeyedSemaphore(options.threads);
    if (!options.whenNeeded) void this.pool;
  }

  private get pool(): Piscina {
    if (this.started) return this.started;
    const { threads, memoryMb, stackMb } = this.options;
    const pool = new Piscina({
      filename: compiledModule(this.worker).href,
      minThreads: 1,
      maxThreads: threads,
      idleTimeout: 30_000,
      resourceLimits: { maxOldGenerationSizeMb: memoryMb, ...(stackMb ? { stackSizeMb: stackMb } : {}) },
      // What the process was told to preload is for the process, not for its threads.
      execArgv: [],
    });
    // A thread that is being ended at its limit may run out of memory yet. Its task has been told; unheard, it would end the process.
    pool.on('error', () => undefined);
    return (this.started = pool);
  }

  run<T>(input: unknown, limitMs: number, signal?: AbortSignal, transfer: Transferable[] = []): Promise<T> {
    return this.places.within('', signal, () => this.runNow<T>(input, limitMs, signal, transfer));
  }

  private async runNow<T>(
    input: unknown,
    limitMs: number,
    signal: AbortSignal | undefined,
    transfer: Transferable[],
  ): Promise<T> {
    const { stretch, clock, memoryMb } = this.options;
    const limit = computingLimit(limitMs, stretch, clock);
    try {
      const any = AbortSignal.any([limit.signal, ...(signal ? [signal] : [])]);
      return (await this.pool.run(input, { signal: any, transferList: transfer })) as T;
    } catch (error) {
      signal?.throwIfAborted();
      if (limit.signal.aborted) throw new TimeLimitError(`not done within ${limitMs / 1000} s`);
      if ((error as { code?: unknown }).code === 'ERR_WORKER_OUT_OF_MEMORY')
        throw new MemoryLimitError(`more than ${memoryMb} MB needed`);
      throw error;
    } finally {
      limit.stop();
    }
  }

  async close(): Promise<void> {
    await this.started?.destroy();
  }
}
