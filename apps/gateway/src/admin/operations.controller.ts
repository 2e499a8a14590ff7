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
import { StuckRunsService } from './stuck-runs.service.js';
import { UsageService } from './usage.service.js';

/** What an operator looks at when something does not get on; behind the admin's credentials, across tenants. */
@Controller()
export class OperationsController {
  constructor(
    private readonly runs: StuckRunsService,
    private readonly parked: ParkedRunsService,
    private readonly letters: DeadLettersService,
    private readonly usage: UsageService,
  ) {}

  @Route('listStuckRuns')
  async stuck(@ValidQuery('listStuckRuns') { waiting_seconds, limit }: z.infer<typeof stuckRunsQuery>) {
    return { items: await this.runs.stuck(waiting_seconds, limit) };
  }

  @Route('listParkedRuns')
  async parkedRuns(@ValidQuery('listParkedRuns') { graph }: z.infer<typeof parkedRunsQuery>) {
    return { items: await this.parked.list(graph) };
  }

  @Route('listDeadLetters')
  async dead(@ValidQuery('listDeadLetters') { queue, limit }: z.infer<typeof deadLettersQuery>) {
    return { items: await this.letters.list(queue, limit) };
  }

  @Route('retryDeadLetter')
  retry(@Param('queue') queue: string, @Param('job_id') jobId: string) {
    return this.letters.retry(queue, jobId);
  }

  @Route('listUsage')
  async ofTenants(@ValidQuery('listUsage') { days }: z.infer<typeof usageQuery>) {
    return { items: await this.usage.ofTenants(days) };
  }
}
