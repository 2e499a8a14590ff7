import type { queueDepthSchema } from '#contracts/api/usage-schemas.js';
import type { JobQueues } from '#engine/queue/job-queues.js';
import { QUEUES } from '#kit/runtime/infrastructure.module.js';
import { Inject, Injectable } from '@nestjs/common';
import type { z } from 'zod';

/** Job counts of the queues. */
@Injectable()
export class QueueDepthsService {
  constructor(@Inject(QUEUES) private readonly queues: JobQueues) {}

  depths(): Promise<z.infer<typeof queueDepthSchema>[]> {
    return Promise.all(
      this.queues.all().map(async (queue) => {
        const counts = await this.queues.ask(() =>
          queue.getJobCounts('waiting', 'prioritized', 'active', 'delayed', 'failed'),
        );
        return {
          queue: queue.name,
          waiting: (counts['waiting'] ?? 0) + (counts['prioritized'] ?? 0),
          active: counts['active'] ?? 0,
          delayed: counts['delayed'] ?? 0,
          failed: counts['failed'] ?? 0,
        };
      }),
    );
  }
}
