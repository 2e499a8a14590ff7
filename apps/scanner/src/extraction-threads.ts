import type { WorkerSettings } from '#config/settings.js';
import { ExtractionPool } from '#runtime/extraction-pool.js';
import { SETTINGS } from '#runtime/infrastructure.module.js';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';

/** The threads in which this process extracts text, of documents' sources and of collections': their limits hold for both together. */
@Injectable()
export class ExtractionThreads extends ExtractionPool implements OnApplicationShutdown {
  constructor(@Inject(SETTINGS) settings: WorkerSettings) {
    super(settings.WORKER_THREADS);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.close();
  }
}
