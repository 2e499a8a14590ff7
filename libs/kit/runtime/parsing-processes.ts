import type { WorkerSettings } from '#config/settings.js';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { SETTINGS } from './infrastructure.module.js';
import { PARSING_MEMORY_MB, RESERVED_PROCESSES } from '#config/memory.js';
import { ProcessPool } from './process-pool.js';

/**
 * The processes in which a worker parses tenants' bytes: sources of documents and collections, and data that
 * plans compute with.
 */
@Injectable()
export class ParsingProcesses extends ProcessPool implements OnApplicationShutdown {
  constructor(@Inject(SETTINGS) settings: Pick<WorkerSettings, 'WORKER_THREADS'>) {
    const perTenant = settings.WORKER_THREADS;
    super({ processes: perTenant + RESERVED_PROCESSES, perTenant, memoryMb: PARSING_MEMORY_MB });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.close();
  }
}
