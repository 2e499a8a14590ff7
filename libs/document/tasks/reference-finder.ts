import { phrase } from '#contracts/phrases/phrase.js';
import type { WorkerSettings } from '#config/settings.js';
import { TaskFailure } from '#engine/queue/task-handler.js';
import { BUSY_STRETCH } from '#kit/runtime/computing-limit.js';
import { SETTINGS } from '#kit/runtime/infrastructure.module.js';
import { ThreadPool } from '#kit/runtime/thread-pool.js';
import { WorkLimitError } from '#kit/runtime/work-pool.js';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { SCANNER_MB } from '#config/memory.js';
import type { FoundReference, ReferenceWork } from './references.worker.js';

const WORKER = new URL('./references.worker.js', import.meta.url);
/** Computing time limit per source, in ms. */
const LIMIT_MS = 20_000;

/** Finds the references of sources in threads with limits. */
@Injectable()
export class ReferenceFinder implements OnApplicationShutdown {
  private readonly pool: ThreadPool;

  constructor(@Inject(SETTINGS) settings: WorkerSettings) {
    this.pool = new ThreadPool({
      threads: settings.WORKER_THREADS,
      memoryMb: SCANNER_MB.references,
      stretch: BUSY_STRETCH,
    });
  }

  /** @throws TaskFailure `source_too_hard`, naming the file */
  async find(work: ReferenceWork, signal: AbortSignal): Promise<FoundReference[]> {
    try {
      return await this.pool.run<FoundReference[]>(WORKER, work, LIMIT_MS, signal);
    } catch (error) {
      if (!(error instanceof WorkLimitError)) throw error;
      const detail = phrase('run_error.source_too_hard.references', { name: work.name });
      throw new TaskFailure('source_too_hard', detail);
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.close();
  }
}
