import type { Database } from '#db/client.js';
import type { JobQueues } from '#queue/job-queues.js';
import { DATABASE, QUEUES, STORE } from '#runtime/infrastructure.module.js';
import type { ObjectStore } from '#storage/object-store.js';
import { Controller, Inject, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Route } from '../http/route.js';

const LIMIT_MS = 2_000;

/** True when the check succeeds in time. */
async function succeeds(check: Promise<unknown>): Promise<boolean> {
  const limit = new Promise<false>((resolve) => setTimeout(() => resolve(false), LIMIT_MS).unref());
  return Promise.race([
    check.then(
      () => true,
      () => false,
    ),
    limit,
  ]);
}

@Controller()
export class HealthController {
  constructor(
    @Inject(DATABASE) private readonly db: Database,
    @Inject(QUEUES) private readonly queues: JobQueues,
    @Inject(STORE) private readonly store: ObjectStore,
  ) {}

  @Route('health')
  async health(@Res() reply: FastifyReply) {
    const [database, queue, store] = await Promise.all([
      succeeds(this.db.$queryRaw`SELECT 1`),
      succeeds(this.queues.check()),
      succeeds(this.store.check()),
    ]);
    const ok = database && queue && store;
    const status = ok ? 'ok' : 'unavailable';
    return reply.status(ok ? 200 : 503).send({ status, checks: { database, queue, store } });
  }
}
