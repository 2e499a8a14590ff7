import { newId } from '#contracts/ids.js';
import { createDatabase, type Database } from '#db/client.js';
import type { HeldRun } from '#engine/kind.js';
import { createObjectStore } from '#storage/create-object-store.js';
import type { ObjectStore } from '#storage/object-store.js';
import { createTestDatabase } from './postgres.js';
import { createTestStorage } from './storage.js';

/** A session with a run on real servers, for specs of code that works on a session. */
export interface SessionFixture {
  db: Database;
  store: ObjectStore;
  run: HeldRun;
  stop(): Promise<void>;
}

/** Creates a tenant, a session and a run claimed at epoch 1, in a separate database and store. */
export async function sessionFixture(): Promise<SessionFixture> {
  const database = await createTestDatabase();
  const storage = await createTestStorage({ name: 'directory' });
  const db = createDatabase(database.url, 3);
  const tenantId = newId('ten');
  const sessionId = newId('ses');
  const id = newId('run');
  await db.tenant.create({ data: { id: tenantId, name: 'tenant' } });
  await db.session.create({ data: { id: sessionId, tenantId } });
  await db.run.create({
    data: {
      id,
      tenantId,
      sessionId,
      kind: 'document',
      status: 'running',
      epoch: 1,
      mode: null,
      inputs: {},
      graphVersion: '1',
    },
  });
  return {
    db,
    store: createObjectStore(storage.config),
    run: {
      id,
      tenantId,
      sessionId,
      kind: 'document',
      mode: null,
      inputs: {},
      step: 0,
      crashes: 0,
      blocked: 0,
      isNew: true,
      express: false,
      traceparent: null,
      graphVersion: '1',
      parentRunId: null,
      parentTaskId: null,
      fence: { runId: id, epoch: 1 },
    },
    async stop() {
      await db.$disconnect();
      await database.drop();
      await storage.drop();
    },
  };
}
