import type { Database } from '#db/client.js';
import { asTenant } from '#db/tenant-scope.js';
import type { JobQueues } from '#engine/queue/job-queues.js';
import { DATABASE, QUEUES, STORE } from '#kit/runtime/infrastructure.module.js';
import { MigrationCheck, type Migrations } from '#kit/runtime/migration-check.js';
import type { ObjectStore } from '#storage/object-store.js';
import { Inject, Injectable } from '@nestjs/common';

/** Milliseconds after which a dependency that does not respond counts as down. */
const LIMIT_MS = 2_000;

/** Checks the dependencies of the service. Results state only whether each can be used. */
@Injectable()
export class Dependencies {
  constructor(
    @Inject(DATABASE) private readonly db: Database,
    @Inject(QUEUES) private readonly queues: JobQueues,
    @Inject(STORE) private readonly store: ObjectStore,
    private readonly migrated: MigrationCheck,
  ) {}

  async states(): Promise<{ database: boolean; queue: boolean; store: boolean }> {
    const [database, queue, store] = await Promise.all([
      succeeds(this.probeDatabase()),
      succeeds(this.queues.check()),
      succeeds(this.store.check()),
    ]);
    return { database, queue, store };
  }

  /** Returns whether the database is at this release's version; checks no more once it is. */
  async migrations(): Promise<Migrations> {
    return (await within(this.migrated.state())) ?? 'unknown';
  }

  /** Queries as the tenants' role, which must be granted to the service's. */
  private async probeDatabase(): Promise<void> {
    await asTenant('ten_none', () => this.db.$queryRaw`SELECT 1`);
  }
}

/** Returns the result of a check; null if it fails or exceeds the time limit. */
async function within<T>(check: Promise<T>): Promise<T | null> {
  const limit = new Promise<null>((resolve) => setTimeout(() => resolve(null), LIMIT_MS).unref());
  return Promise.race([check.catch(() => null), limit]);
}

const succeeds = async (check: Promise<unknown>): Promise<boolean> =>
  (await within(check.then(() => true))) === true;
