import type { WorkerSettings } from '#config/settings.js';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { SETTINGS } from './infrastructure.module.js';
import { PARSING_MEMORY_MB } from './memory.js';
import { ProcessPool } from './process-pool.js';

/** The processes in which a worker parses what tenants send: documents' sources, those of collections, and what plans compute. */
@Injectable()
export class ParsingProcesses extends ProcessPool implements OnApplicationShutdown {
  constructor(@Inject(SETTINGS) settings: Pick<WorkerSettings, 'WORKER_THREADS'>) {
    super({ processes: settings.WORKER_THREADS, memoryMb: PARSING_MEMORY_MB });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.close();
  }
}
