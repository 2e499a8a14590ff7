import type { WorkerSettings } from '#config/settings.js';
import { TaskFailure } from '#queue/task-handler.js';
import { SETTINGS } from '#runtime/infrastructure.module.js';
import { ThreadPool, ThreadTimeoutError } from '#runtime/thread-pool.js';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { ConversionResults, ConversionWork } from './conversion.worker.js';

/** Limits of the steps, in milliseconds. */
const LIMITS_MS = { structure: 240_000, docx: 540_000, check: 240_000 };

/** The threads that convert; a document that is too much for one ends in a clear failure of its task. */
@Injectable()
export class ConversionPool implements OnApplicationShutdown {
  private readonly pool: ThreadPool;

  constructor(@Inject(SETTINGS) settings: WorkerSettings) {
    this.pool = new ThreadPool(new URL('./conversion.worker.js', import.meta.url), settings.WORKER_THREADS);
  }

  /** @throws TaskFailure `conversion_timeout`, `conversion_memory` or `conversion_too_deep` */
  async run<W extends ConversionWork>(work: W, signal: AbortSignal): Promise<ConversionResults[W['kind']]> {
    try {
      return await this.pool.run<ConversionResults[W['kind']]>(work, LIMITS_MS[work.kind], signal);
    } catch (error) {
      if (error instanceof ThreadTimeoutError) {
        throw new TaskFailure(
          'conversion_timeout',
          'The document took too long to convert. Split it into smaller ones.',
        );
      }
      if ((error as { code?: unknown }).code === 'ERR_WORKER_OUT_OF_MEMORY') {
        throw new TaskFailure(
          'conversion_memory',
          'The document needs too much memory to convert. Split it into smaller ones.',
        );
      }
      if (error instanceof RangeError) {
        throw new TaskFailure(
          'conversion_too_deep',
          'The document is nested too deeply to convert. Flatten its lists or quotes.',
        );
      }
      throw error;
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.close();
  }
}
