import { createDatabase } from '#db/client.js';
import { createTestDatabase } from '#testing/postgres.js';
import { until } from '#testing/until.js';
import { writeFile } from 'node:fs/promises';
import pg from 'pg';
import { isOutage } from './outage.js';

const failure = async (work: () => Promise<unknown>): Promise<unknown> =>
  work().then(
    () => undefined,
    (error: unknown) => error,
  );

describe('isOutage', () => {
  it('tells a lost connection from a wrong statement', async () => {
    const database = await createTestDatabase();
    const db = createDatabase(database.url, 1);
    const admin = new pg.Client({ connectionString: database.url });
    await admin.connect();
    try {
      expect(isOutage(await failure(() => db.$queryRaw`SELECT * FROM no_such_table`))).toBe(false);
      await admin.query('SELECT pg_advisory_lock(1)');
      const waiting = failure(() => db.$queryRaw`SELECT pg_advisory_lock(1)::text`);
      await until(
        'the session that waits for the lock to be ended',
        async () =>
          (
            await admin.query(`
              SELECT pg_terminate_backend(pid) FROM pg_locks
              WHERE locktype = 'advisory' AND NOT granted
                AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`)
          ).rowCount,
      );
      expect(isOutage(await waiting)).toBe(true);
    } finally {
      await admin.end();
      await db.$disconnect();
      await database.drop();
    }
  });

  it('takes a disk without room for an outage: what is written again later succeeds', async () => {
    const full = await failure(() => writeFile('/dev/full', 'x'));
    expect(isOutage(full)).toBe(true);
    expect(isOutage(new Error('upload failed', { cause: full }))).toBe(true);
  });

  it('takes a server that is not there for an outage, and nothing else', async () => {
    const db = createDatabase('postgres://nobody@127.0.0.1:1/none', 1);
    expect(isOutage(await failure(() => db.$queryRaw`SELECT 1`))).toBe(true);
    await db.$disconnect();
    for (const other of [new Error('no'), new TypeError('x is not a function'), 'text', null, undefined, 7])
      expect(isOutage(other)).toBe(false);
  });
});
