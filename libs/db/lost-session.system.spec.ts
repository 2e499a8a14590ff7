import { onPostgres } from '#testing/on-postgres.js';
import { createTestDatabase, type TestDatabase } from '#testing/postgres.js';
import { until } from '#testing/until.js';
import { createDatabase, Prisma, type Database } from './client.js';
import { ScopedPool } from './client.js';
import { asTenant } from './tenant-scope.js';

const NAME = 'to-be-lost';
const SLEEP = Prisma.sql`SELECT pg_sleep(60)::text`;

/** An unhandled 'error' event ends the process; here it fails the test. */
describe('X4 when the server ends a session, the process continues and only the statement fails:', () => {
  let database: TestDatabase;
  let watcher: Database;
  let url: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    watcher = createDatabase(database.url, 1);
    url = `${database.url}?application_name=${NAME}`;
  });
  afterAll(async () => {
    await watcher.$disconnect();
    await database.drop();
  });

  /** Ends a session as soon as one is in the given state, and waits until it has ended. */
  async function endSession(state: 'active' | 'idle' | 'idle in transaction'): Promise<void> {
    const sessions = (inState: boolean) =>
      watcher.$queryRaw<object[]>`
        SELECT pid FROM pg_stat_activity WHERE application_name = ${NAME} AND (state = ${state} OR NOT ${inState})`;
    await until(`a session that is ${state}`, async () => (await sessions(true)).length);
    await onPostgres(
      database.url,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '${NAME}'`,
    );
    await until(
      'the session to be gone',
      () => sessions(false),
      (all) => all.length === 0,
    );
  }

  const statements: [string, (db: Database) => Promise<unknown>][] = [
    ['through Prisma', (db) => db.$queryRaw(SLEEP)],
    ['without Prisma', (db) => db.$statement(SLEEP)],
    ['of a tenant', (db) => asTenant('ten_a', () => db.$queryRaw(SLEEP))],
    ['of a tenant, without Prisma', (db) => asTenant('ten_a', () => db.$statement(SLEEP))],
    ['in a transaction', (db) => db.$transaction((tx) => tx.$queryRaw(SLEEP))],
    [
      'in a tenant’s transaction',
      (db) => asTenant('ten_a', () => db.$transaction((tx) => tx.$queryRaw(SLEEP))),
    ],
  ];

  it.each(statements)('during a statement %s', async (_, send) => {
    const db = createDatabase(url, 1);
    const sent = send(db).then(
      () => 'answered',
      () => 'refused',
    );
    await endSession('active');
    expect(await sent).toBe('refused');
    expect(await db.$queryRaw`SELECT 1 AS one`).toEqual([{ one: 1 }]);
    await db.$disconnect();
  });

  it('between two statements, before the first use of Prisma', async () => {
    const db = createDatabase(url, 1);
    await db.$statement(Prisma.sql`SELECT 1`);
    await endSession('idle');
    expect(await db.$statement(Prisma.sql`SELECT 1 AS one`)).toEqual([{ one: 1 }]);
    await db.$disconnect();
  });

  it('between two statements of a transaction', async () => {
    const db = createDatabase(url, 1);
    const work = db.$transaction(async (tx) => {
      await tx.$queryRaw`SELECT 1`;
      await endSession('idle in transaction');
      await tx.$queryRaw`SELECT 1`;
    });
    await expect(work).rejects.toThrow();
    await db.$disconnect();
  });

  it.each([null, 'ten_a'])(
    'before the caller uses the connection that it got from the pool (tenant %s)',
    async (tenant) => {
      const pool = new ScopedPool({ connectionString: url, max: 1 });
      const client = await (tenant === null ? pool.connect() : asTenant(tenant, () => pool.connect()));
      await client.query('SELECT 1');
      await endSession('idle');
      await expect(client.query('SELECT 1')).rejects.toThrow();
      client.release(true);
      await pool.end();
    },
  );
});
