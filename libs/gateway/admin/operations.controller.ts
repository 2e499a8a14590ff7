import type {
  deadLettersQuery,
  parkedRunsQuery,
  stuckRunsQuery,
  usageQuery,
} from '#contracts/api/operations-schemas.js';
import { Controller, Param } from '@nestjs/common';
import type { z } from 'zod';
import { Route, ValidQuery } from '../http/route.js';
import { DeadLettersService } from './dead-letters.service.js';
import { ParkedRunsService } from './parked-runs.service.js';
import { QueueDepthsService } from './queue-depths.service.js';
import { StuckRunsService } from './stuck-runs.service.js';
import { UsageService } from './usage.service.js';

/** Diagnostics of stuck work across tenants, for the operator; requires the admin's credentials. */
@Controller()
export class OperationsController {
  constructor(
    private readonly runs: StuckRunsService,
    private readonly parked: ParkedRunsService,
    private readonly letters: DeadLettersService,
    private readonly usage: UsageService,
    private readonly queues: QueueDepthsService,
  ) {}

  @Route('listStuckRuns')
  stuck(@ValidQuery('listStuckRuns') query: z.infer<typeof stuckRunsQuery>) {
    return this.runs.stuck(query);
  }

  @Route('listParkedRuns')
  parkedRuns(@ValidQuery('listParkedRuns') query: z.infer<typeof parkedRunsQuery>) {
    return this.parked.list(query);
  }

  @Route('listDeadLetters')
  dead(@ValidQuery('listDeadLetters') query: z.infer<typeof deadLettersQuery>) {
    return this.letters.list(query);
  }

  @Route('retryDeadLetter')
  retry(@Param('queue') queue: string, @Param('job_id') jobId: string) {
    return this.letters.retry(queue, jobId);
  }

  @Route('listQueues')
  async depths() {
    return { items: await this.queues.depths() };
  }

  @Route('listUsage')
  ofTenants(@ValidQuery('listUsage') query: z.infer<typeof usageQuery>) {
    return this.usage.ofTenants(query);
  }
}
