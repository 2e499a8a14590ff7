import { createDatabase, type Database } from '#db/client.js';
import type { JobQueues } from '#engine/queue/job-queues.js';
import type { ObjectStore } from '#storage/object-store.js';
import { createTestDatabase, type TestDatabase } from '#testing/postgres.js';
import { projectRoot } from '#embedded/project-root.js';
import { MigrationCheck } from '#kit/runtime/migration-check.js';
import { join } from 'node:path';
import { Dependencies } from './dependencies.js';

describe('dependencies of the gateway', () => {
  let database: TestDatabase;
  let db: Database;

  beforeAll(async () => {
    database = await createTestDatabase();
    db = createDatabase(database.url, 1);
  });
  afterAll(async () => {
    await db.$disconnect();
    await database.drop();
  });

  const lastMigration = (finished: boolean) => db.$executeRaw`
    UPDATE _prisma_migrations SET finished_at = ${finished ? new Date() : null}
    WHERE migration_name = (SELECT max(migration_name) FROM _prisma_migrations)`;

  it('are not ready before the last migration, and are polled until then', async () => {
    const reachable = { check: () => Promise.resolve() };
    const dependencies = new Dependencies(
      db,
      reachable as JobQueues,
      reachable as ObjectStore,
      new MigrationCheck(db, { error: () => undefined }, join(projectRoot(), 'prisma/migrations')),
    );
    await lastMigration(false);
    expect([await dependencies.migrations(), await dependencies.migrations()]).toEqual([
      'pending',
      'pending',
    ]);
    await lastMigration(true);
    expect(await dependencies.migrations()).toBe('applied');
  });
});
