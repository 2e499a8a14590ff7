import { ThreadLimitError } from '../graph/ports.js';
import { BUSY_STRETCH } from '../runtime/computing-limit.js';
import { ThreadPool } from '../runtime/thread-pool.js';
import { WorkLimitError } from '../runtime/work-pool.js';
import { MEMORY_MB, MAX_THREADS } from '#config/memory/agent-runner.js';
import type { ModuleCall } from '../runtime/module.worker.js';

/** Computing time limit of one task, in ms. */
const LIMIT_MS = 20_000;

/** Threads for computations on sources, so that no source blocks the runner's other runs. */
export class RunnerThreads {
  private readonly pool: ThreadPool;

  /** @param concurrency number of runs that the runner advances concurrently */
  constructor(concurrency: number) {
    this.pool = new ThreadPool(new URL('../runtime/module.worker.js', import.meta.url), {
      threads: Math.min(concurrency, MAX_THREADS),
      memoryMb: MEMORY_MB.thread,
      stretch: BUSY_STRETCH,
    });
  }

  /** @throws ThreadLimitError */
  readonly run = async <T>(module: URL, input: unknown, signal?: AbortSignal): Promise<T> => {
    const call: ModuleCall = { module: module.href, input };
    try {
      return await this.pool.run<T>(call, LIMIT_MS, signal);
    } catch (error) {
      if (error instanceof WorkLimitError) throw new ThreadLimitError(error.message, { cause: error });
      throw error;
    }
  };

  async close(): Promise<void> {
    await this.pool.close();
  }
}
