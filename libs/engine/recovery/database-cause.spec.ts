import { createDatabase } from '#db/client.js';
import { Prisma } from '#db/client.js';
import { englishText } from '#contracts/phrases/phrase.js';
import { createTestDatabase } from '#testing/postgres.js';
import { databaseCause, withDatabaseCause } from './outage.js';

const failure = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('databaseCause', () => {
  it('names the causes of real failures, through Prisma and without it', async () => {
    const database = await createTestDatabase();
    const db = createDatabase(database.url, 1);
    const statements = {
      'database_cause.too_large': Prisma.sql`SELECT repeat('x', 2000000000)`,
      'database_cause.invalid_value': Prisma.sql`SELECT 'x'::int`,
      'database_cause.conflict': Prisma.sql`INSERT INTO sessions (id, tenant_id) VALUES ('ses_x', 'ten_none')`,
    };
    try {
      for (const [code, statement] of Object.entries(statements)) {
        expect(databaseCause(await failure(db.$statement(statement)))).toMatchObject({ code });
        expect(databaseCause(await failure(db.$queryRaw(statement)))).toMatchObject({ code });
      }
      expect(databaseCause(await failure(db.$queryRaw`SELECT * FROM no_such_table`))).toBeNull();
    } finally {
      await db.$disconnect();
      await database.drop();
    }
  });

  it.each([
    ['53100', 'database_cause.disk_full'],
    ['53200', 'database_cause.out_of_memory'],
    ['53300', 'database_cause.too_many_connections'],
    ['ENOSPC', 'database_cause.disk_full'],
    ['ERR_STRING_TOO_LONG', 'database_cause.too_large'],
  ])('names %s as %s, also if it is the cause of another error', (code, text) => {
    const error = Object.assign(new Error('secret'), { code });
    expect(databaseCause(new Error('the step failed', { cause: error }))).toMatchObject({ code: text });
  });

  it('adds the cause to the text of a failure', () => {
    const failed = { code: 'run_error.run_failed', params: {} };
    const full = Object.assign(new Error('secret'), { code: '53100' });
    expect(englishText(withDatabaseCause(failed, full))).toBe(
      'The run ended without a result. The database has no disk space left.',
    );
    expect(withDatabaseCause(failed, new Error('secret'))).toBe(failed);
  });
});
