import { setFlagsFromString } from 'node:v8';
import { Piscina } from 'piscina';
import type { Transferable } from 'node:worker_threads';
import { computingLimit, type ComputingClock } from './computing-limit.js';
import { KeyedSemaphore } from '#engine/tasks/locks.js';
import { MemoryLimitError, TimeLimitError } from './work-pool.js';
import { compiledModule } from './compiled-module.js';
import type { ThreadAnswer, ThreadTask } from './thread.worker.js';

const THREAD = new URL('./thread.worker.js', import.meta.url);
/** Threads end after a task that leaves a larger heap: an idle thread collects nothing, and the next step may run in another one. */
const MAX_IDLE_BYTES = 128 * 1024 * 1024;

/**
 * During a task with this much input, the heaps of the process grow in small steps: they would grow by up to three quarters
 * before they are collected.
 */
const LARGE_INPUT_BYTES = 16 * 1024 * 1024;
const SMALL_STEPS = '--heap-growing-percent=20';
const USUAL_STEPS = '--heap-growing-percent=0';

export interface ThreadPoolOptions {
  /** Maximum number of threads; the first starts with the first task and stays, excess tasks queue. */
  threads: number;
  /** Heap limit of one thread in MiB. Exceeding it ends the thread, not the process. */
  memoryMb: number;
  /** Stack of one thread in MiB, for code that recurses as deeply as its input nests. */
  stackMb?: number;
  /**
   * Maximum elapsed time of a task as a multiple of its limit, while other processes use the CPU. By default,
   * all elapsed time counts, as it must if a client waits for the response.
   */
  stretch?: number;
  /** Replaces the clock of the process in tests. */
  clock?: ComputingClock;
}

/**
 * Runs work that may be slow for some tenants' content in threads, so that the event loop can renew locks and
 * serve others.
 */
export class ThreadPool {
  private started: Piscina | undefined;
  private running = 0;
  /** Whether a thread of the started ones has a large heap. */
  private isLarge = false;
  private readonly places: KeyedSemaphore;

  constructor(private readonly options: ThreadPoolOptions) {
    this.places = new KeyedSemaphore(options.threads);
  }

  private get pool(): Piscina {
    if (this.started) return this.started;
    const { threads, memoryMb, stackMb } = this.options;
    const pool = new Piscina({
      minThreads: 1,
      maxThreads: threads,
      idleTimeout: 30_000,
      resourceLimits: { maxOldGenerationSizeMb: memoryMb, ...(stackMb ? { stackSizeMb: stackMb } : {}) },
      // Modules preloaded for the process are not needed in its threads.
      execArgv: [],
    });
    // A thread that is being ended can still run out of memory. Its task has already failed, and an unhandled
    // `error` event would end the process.
    pool.on('error', () => undefined);
    return (this.started = pool);
  }

  /**
   * Calls the default export of a compiled module in a thread. The limit counts from the start of the call; time in the
   * queue does not count.
   *
   * @param input structured-cloneable
   * @param limitMs in milliseconds
   * @param transfer parts of the input that the thread receives without a copy
   * @throws TimeLimitError, MemoryLimitError, the signal's reason (which ends the work immediately), or what the module threw
   */
  run<T>(
    module: URL,
    input: unknown,
    limitMs: number,
    signal?: AbortSignal,
    transfer: Transferable[] = [],
  ): Promise<T> {
    return this.places.within('', signal, () => this.runNow<T>(module, input, limitMs, signal, transfer));
  }

  private async runNow<T>(
    module: URL,
    input: unknown,
    limitMs: number,
    signal: AbortSignal | undefined,
    transfer: Transferable[],
  ): Promise<T> {
    const { stretch, clock, memoryMb } = this.options;
    const filename = compiledModule(THREAD).href;
    const task: ThreadTask = { module: compiledModule(module).href, input };
    const limit = computingLimit(limitMs, stretch, clock);
    this.running += 1;
    const sizes = transfer.map((part) => (part instanceof ArrayBuffer ? part.byteLength : 0));
    const hasLargeInput = sizes.reduce((sum, size) => sum + size, 0) > LARGE_INPUT_BYTES;
    if (hasLargeInput) setFlagsFromString(SMALL_STEPS);
    try {
      const any = AbortSignal.any([limit.signal, ...(signal ? [signal] : [])]);
      const options = { filename, signal: any, transferList: transfer };
      const { result, heapBytes } = (await this.pool.run(task, options)) as ThreadAnswer;
      this.isLarge ||= heapBytes > MAX_IDLE_BYTES;
      return result as T;
    } catch (error) {
      signal?.throwIfAborted();
      if (limit.signal.aborted) throw new TimeLimitError(`not done within ${limitMs / 1000} s`);
      if ((error as { code?: unknown }).code === 'ERR_WORKER_OUT_OF_MEMORY')
        throw new MemoryLimitError(`more than ${memoryMb} MB needed`);
      throw error;
    } finally {
      limit.stop();
      if (hasLargeInput) setFlagsFromString(USUAL_STEPS);
      this.running -= 1;
      if (this.isLarge && this.running === 0) await this.close();
    }
  }

  /** Ends all threads; further tasks start new ones. */
  async close(): Promise<void> {
    const { started } = this;
    this.started = undefined;
    this.isLarge = false;
    await started?.destroy();
  }
}
