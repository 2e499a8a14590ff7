import { Controller, Inject, Injectable } from '@nestjs/common';
import { Route, type EndpointRequest } from '../http/route.js';
import { DeadLettersService } from './dead-letters.service.js';
import { StuckRunsService, ParkedRunsService } from './stuck-runs.service.js';
import { UsageService } from './usage.service.js';
import type { queueDepthSchema } from '#contracts/api/operations-schemas.js';
import type { JobQueues } from '#engine/queue/job-queues.js';
import { QUEUES } from '#kit/runtime/infrastructure.module.js';
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
  stuck({ query }: EndpointRequest<'listStuckRuns'>) {
    return this.runs.stuck(query);
  }

  @Route('listParkedRuns')
  parkedRuns({ query }: EndpointRequest<'listParkedRuns'>) {
    return this.parked.list(query);
  }

  @Route('listDeadLetters')
  dead({ query }: EndpointRequest<'listDeadLetters'>) {
    return this.letters.list(query);
  }

  @Route('retryDeadLetter')
  retry({ params: { queue, job_id: jobId } }: EndpointRequest<'retryDeadLetter'>) {
    return this.letters.retry(queue, jobId);
  }

  @Route('listQueues')
  async depths() {
    return { items: await this.queues.depths() };
  }

  @Route('listUsage')
  ofTenants({ query }: EndpointRequest<'listUsage'>) {
    return this.usage.ofTenants(query);
  }
}
