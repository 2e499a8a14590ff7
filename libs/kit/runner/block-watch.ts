import { CURRENT_LEG } from '#engine/runs/fence.js';
import { LEASE_SECONDS } from '#engine/engine.js';
import { MAX_RUNNER_THREADS, RUNNER_MB } from '#config/memory.js';
import { url } from 'node:inspector';
import { Worker } from 'node:worker_threads';
import { compiledModule } from '../runtime/compiled-module.js';
import type { Watched } from './block-watch.worker.js';
import { BUSY_STRETCH } from '../runtime/computing-limit.js';
import { ThreadPool } from '../runtime/thread-pool.js';

const WATCH = new URL('./block-watch.worker.js', import.meta.url);
/** Interval in ms at which the event loop shows that it is not blocked. */
const BEAT_MS = 250;
/**
 * Seconds without a beat after which the event loop counts as blocked. By then the leases of the process have run out,
 * so other runners may have its runs already.
 */
const BLOCKED_SECONDS = 2 * LEASE_SECONDS;

/**
 * Watches the event loop of this process from a thread. If a run blocks it, the thread records that with the run and
 * kills the process, so that its supervisor starts a new one. Only this counts as blocking: a process that is killed,
 * stopped or starved of CPU time records nothing.
 *
 * @param databaseUrl of the runs
 * @param blockedSeconds replaces the limit in tests
 * @returns a function that ends the watch
 */
export function watchForBlocking(databaseUrl: string, blockedSeconds = BLOCKED_SECONDS): () => Promise<void> {
  // A breakpoint of a debugger is no blocking.
  if (url() !== undefined) return () => Promise.resolve();
  const beats = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const timer = setInterval(() => Atomics.add(beats, 0, 1), BEAT_MS).unref();
  const watched: Watched = { beats, databaseUrl, blockedSeconds, currentLeg: CURRENT_LEG };
  const thread = new Worker(compiledModule(WATCH), { workerData: watched, execArgv: [] });
  thread.unref();
  // Without the watch, the runner works as before.
  thread.on('error', () => undefined);
  return async () => {
    clearInterval(timer);
    await thread.terminate();
  };
}

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
