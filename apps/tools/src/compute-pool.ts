import type { WorkerSettings } from '#config/settings.js';
import { BUSY_STRETCH } from '#runtime/computing-limit.js';
import { SETTINGS } from '#runtime/infrastructure.module.js';
import { ThreadPool, ThreadTimeoutError } from '#runtime/thread-pool.js';
import type { ComputeCall, ComputeResult } from '#tools/compute/compute.worker.js';
import { COMPUTE_WORKER } from '#tools/compute/worker-url.js';
import { ToolCallError } from '#tools/tool.js';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';

/** The heap of one thread: well above what its tools limit themselves to, since running out of it may end the process. */
const MAX_MEMORY_MB = 2_048;

/** The threads in which tools compute: what a plan asks of them can take no more than its time and memory. */
@Injectable()
export class ComputePool implements OnApplicationShutdown {
  private readonly pool: ThreadPool;

  constructor(@Inject(SETTINGS) settings: WorkerSettings) {
    this.pool = new ThreadPool(COMPUTE_WORKER, {
      threads: settings.WORKER_THREADS,
      memoryMb: MAX_MEMORY_MB,
      stretch: BUSY_STRETCH,
      whenNeeded: true,
    });
  }

  /** @throws ToolCallError */
  async call(call: ComputeCall, limitMs: number, signal: AbortSignal): Promise<unknown> {
    let result: ComputeResult;
    try {
      result = await this.pool.run<ComputeResult>(call, limitMs, signal);
    } catch (error) {
      if (signal.aborted) throw error;
      if (error instanceof ThreadTimeoutError)
        throw new ToolCallError('time_limit', `The tool took longer than ${limitMs / 1_000} s.`);
      throw new ToolCallError('tool_crashed', 'The tool needs more memory than it may have, or broke down.');
    }
    if (!result.ok) throw new ToolCallError(result.code, result.message);
    return result.output;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.close();
  }
}
