import { BUSY_STRETCH } from '../runtime/computing-limit.js';
import { ThreadPool } from '../runtime/thread-pool.js';
import { RUNNER_MB, MAX_RUNNER_THREADS } from '#config/memory.js';

/** Computing time limit of one task, in ms. */
const LIMIT_MS = 20_000;

/** Threads for computations on sources, so that no source blocks the runner's other runs. */
export class RunnerThreads {
  private readonly pool: ThreadPool;

  /** @param concurrency number of runs that the runner advances concurrently */
  constructor(concurrency: number) {
    this.pool = new ThreadPool({
      threads: Math.min(concurrency, MAX_RUNNER_THREADS),
      memoryMb: RUNNER_MB.thread,
      stretch: BUSY_STRETCH,
    });
  }

  /** @throws ThreadLimitError */
  readonly run = <T>(module: URL, input: unknown, signal?: AbortSignal): Promise<T> =>
    this.pool.run<T>(module, input, LIMIT_MS, signal);

  async close(): Promise<void> {
    await this.pool.close();
  }
}
