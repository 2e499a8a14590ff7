import type { Transferable } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { compiledModule } from './compiled-module.js';
import { computingLimit, type ComputingClock } from './computing-limit.js';

/** A task in a thread took longer than its limit; the thread was ended. */
export class ThreadTimeoutError extends Error {
  override readonly name = 'ThreadTimeoutError';
}

/** A task in a thread needed more memory than it may have; the thread was ended. */
export class ThreadMemoryError extends Error {
  override readonly name = 'ThreadMemoryError';
}

const MIB = 1024 * 1024;
/** How often the memory of the process is looked at. */
const LOOK_MS = 50;

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
   * What the process may grow by while a task runs, in MiB: a heap's limit leaves out buffers, and what the process holds besides is not the
   * task's. For a pool of one thread, whose task is ended when the process grows by more.
   */
  growthMb?: number;
  /**
   * How many times its limit a task may last while other processes have the cores: what a busy machine makes slow is not too hard yet. All
   * time counts without it, as it has to where a client waits for the answer.
   */
  stretch?: number;
  /** Replaces the clock of the process in tests. */
  clock?: ComputingClock;
}

/** Threads for work whose time depends on what tenants send, so that the event loop stays free to renew locks and to serve others. */
export class ThreadPool {
  private started: Piscina | undefined;
  private readonly options: ThreadPoolOptions;
  private readonly memoryMb: number;
  private readonly growthMb: number;
  private free: number;
  private readonly waiting: (() => void)[] = [];

  /** @param worker URL of a compiled module with a default export */
  constructor(
    private readonly worker: URL,
    options: ThreadPoolOptions,
  ) {
    this.options = options;
    this.free = options.threads;
    this.memoryMb = options.memoryMb;
    this.growthMb = options.growthMb ?? Infinity;
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

  /**
   * Runs the worker's function with the given input. The limit counts from when a thread takes the task, so that nobody pays for
   * those before.
   *
   * @param transfer what of the input is handed over instead of copied
   * @throws ThreadTimeoutError, ThreadMemoryError; the signal's reason when it aborts, which ends the thread at once; else what the
   *   worker threw
   */
  async run<T>(
    input: unknown,
    limitMs: number,
    signal?: AbortSignal,
    transfer: Transferable[] = [],
  ): Promise<T> {
    await this.turn(signal);
    const limit = computingLimit(limitMs, this.options.stretch, this.options.clock);
    const memory = this.watchMemory();
    try {
      const any = AbortSignal.any([limit.signal, memory.signal, ...(signal ? [signal] : [])]);
      return (await this.pool.run(input, { signal: any, transferList: transfer })) as T;
    } catch (error) {
      signal?.throwIfAborted();
      if (limit.signal.aborted) throw new ThreadTimeoutError(`not done within ${limitMs / 1000} s`);
      if (memory.signal.aborted || (error as { code?: unknown }).code === 'ERR_WORKER_OUT_OF_MEMORY')
        throw new ThreadMemoryError(`more than ${this.memoryMb} MB needed`);
      throw error;
    } finally {
      limit.stop();
      memory.stop();
      this.free += 1;
      this.waiting.shift()?.();
    }
  }

  private watchMemory(): { signal: AbortSignal; stop(): void } {
    const controller = new AbortController();
    const limit = process.memoryUsage.rss() + this.growthMb * MIB;
    const look = () => {
      if (process.memoryUsage.rss() > limit) controller.abort();
    };
    const timer = this.growthMb === Infinity ? undefined : setInterval(look, LOOK_MS);
    return { signal: controller.signal, stop: () => clearInterval(timer) };
  }

  async close(): Promise<void> {
    await this.started?.destroy();
  }

  /** Waits until a thread is free and takes it. */
  private async turn(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    while (this.free === 0) {
      await new Promise<void>((resolve) => {
        const wake = () => {
          signal?.removeEventListener('abort', wake);
          const at = this.waiting.indexOf(wake);
          if (at >= 0) this.waiting.splice(at, 1);
          resolve();
        };
        this.waiting.push(wake);
        signal?.addEventListener('abort', wake, { once: true });
      });
      if (!signal?.aborted) continue;
      // The turn may have been this task's: the next one takes it.
      this.waiting.shift()?.();
      throw signal.reason;
    }
    this.free -= 1;
  }
}
