import { createTestDatabase, type TestDatabase } from '#testing/postgres.js';
import pg from 'pg';
import { openQueueBackend, type QueueBackend } from './backend.js';

describe('the queue in PostgreSQL', () => {
  let database: TestDatabase;
  let backend: QueueBackend;
  beforeAll(async () => {
    database = await createTestDatabase();
    backend = await openQueueBackend(database.url, { onError: () => undefined });
  });
  afterAll(async () => {
    await backend.close();
    await database.drop();
  });

  it('X4 waits for no disk, since the reconciler brings back what it forgets; all else does', async () => {
    const settingOf = async (of: pg.Pool | pg.Client) =>
      (await of.query<{ synchronous_commit: string }>('SHOW synchronous_commit')).rows[0]!.synchronous_commit;
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    // The server of the tests does without for everybody.
    await client.query(`ALTER DATABASE ${pg.escapeIdentifier(client.database!)} SET synchronous_commit = on`);
    await client.end();
    const other = new pg.Client({ connectionString: database.url });
    await other.connect();
    const set = [await settingOf(backend.connection as pg.Pool), await settingOf(other)];
    await other.end();
    expect(set).toEqual(['off', 'on']);
  });
});
