import { phrase } from '#contracts/phrases/phrase.js';
import type { WorkerSettings } from '#config/settings.js';
import { ConversionError, ConverterPool } from '../runtime/converter-pool.js';
import type { Database } from '#db/client.js';
import { TaskFailure, type TaskContext } from '#engine/queue/task-handler.js';
import { DATABASE, SETTINGS } from '../runtime/infrastructure.module.js';
import { largestSource } from '../runtime/largest-source.js';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { CONVERTER_MB } from '#config/memory.js';

/** Limits of one conversion step. */
export const LIMITS = { timeLimitMs: 240_000, memoryLimitMb: CONVERTER_MB.conversion };

/** Advice to people about documents that exceed a conversion limit. */
const ADVICE = {
  time_limit: phrase('run_error.conversion_time_limit'),
  memory_limit: phrase('run_error.conversion_memory_limit'),
  too_deep: phrase('run_error.conversion_too_deep'),
};

/** Conversion threads. A document that exceeds a limit fails its task immediately with a clear error. */
@Injectable()
export class ConversionPool implements OnApplicationShutdown {
  private readonly pool: ConverterPool;

  constructor(
    @Inject(SETTINGS) settings: WorkerSettings,
    @Inject(DATABASE) private readonly db: Database,
  ) {
    this.pool = new ConverterPool({ ...LIMITS, threads: settings.WORKER_THREADS });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.close();
  }

  /**
   * Runs work in the threads.
   *
   * @throws TaskFailure `conversion_time_limit`, `conversion_memory_limit`, `conversion_too_deep` or
   * `conversion_not_installed`; `conversion_standard` if a PDF cannot keep the wanted standard
   */
  async run<T>({ tenantId, sessionId }: TaskContext, work: (pool: ConverterPool) => Promise<T>): Promise<T> {
    try {
      return await work(this.pool);
    } catch (error) {
      if (!(error instanceof ConversionError) || error.code === 'failed') throw error;
      if (error.code === 'not_installed') throw new TaskFailure('conversion_not_installed', error.message);
      if (error.code === 'standard')
        throw new TaskFailure(
          'conversion_standard',
          phrase('run_error.conversion_standard', { reasons: error.message }),
        );
      const largest = await largestSource(this.db, tenantId, sessionId);
      const advice = ADVICE[error.code];
      throw new TaskFailure(
        `conversion_${error.code}`,
        largest ? phrase('sentences', { first: advice, rest: largest }) : advice,
      );
    }
  }
}
