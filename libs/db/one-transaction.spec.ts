import { createTestDatabase, type TestDatabase } from '#testing/postgres.js';
import pg from 'pg';
import { createDatabase, Prisma, type Database } from './client.js';
import { isRefused } from './one-transaction.js';

describe('Statements that are sent together', () => {
  let database: TestDatabase;
  let db: Database;

  beforeAll(async () => {
    database = await createTestDatabase();
    db = createDatabase(database.url, 1);
    await db.$statement(Prisma.sql`CREATE TABLE noted (id int PRIMARY KEY)`);
  });
  afterAll(async () => {
    await db.$disconnect();
    await database.drop();
  });

  const note = (id: number) => Prisma.sql`INSERT INTO noted VALUES (${id}::int)`;
  const noted = async () => {
    const rows = await db.$statement<{ id: number }>(Prisma.sql`SELECT id FROM noted ORDER BY id`);
    return rows.map(({ id }) => id);
  };

  it('each return their rows, and are one transaction', async () => {
    const xact = Prisma.sql`SELECT pg_current_xact_id()::text AS id`;
    const [first, none, last] = await db.$together([xact, note(1), xact]);
    expect(none).toEqual([]);
    expect(last).toEqual(first);
    expect(await noted()).toEqual([1]);
    const [two] = await db.$together([Prisma.sql`SELECT n FROM generate_series(1, 2) n`]);
    expect(two).toEqual([{ n: 1 }, { n: 2 }]);
  });

  it('leave nothing behind if one fails, and the connection and its prepared statements are used again', async () => {
    const session = () => db.$statement(Prisma.sql`SELECT pg_backend_pid() AS pid`);
    const before = await session();
    const failing = [note(2), note(1), Prisma.sql`SELECT 'first seen behind a failed statement' AS text`];
    await expect(db.$together(failing)).rejects.toMatchObject({ code: '23505' });
    await expect(db.$together([note(2), Prisma.sql`SELECT missing`])).rejects.toMatchObject({
      code: '42703',
    });
    expect(await noted()).toEqual([1]);
    expect(await db.$together([note(2), failing[2]!])).toEqual([
      [],
      [{ text: 'first seen behind a failed statement' }],
    ]);
    expect(await noted()).toEqual([1, 2]);
    expect(await session()).toEqual(before);
  });

  it.each([
    ['refused, on a German server', 'FEHLER', '55P03', true],
    ['refused, on a Polish server', 'BŁĄD', '57014', true],
    ['refused, because one row is damaged', 'ERROR', 'XX001', true],
    ['lost with the session that the administrator ends', 'KATASTROFALNY', '57P01', false],
    ['lost with the session that waited too long', 'FATAL', '25P04', false],
  ])('are %s', (_, severity, code, refused) => {
    expect(isRefused(Object.assign(new pg.DatabaseError('', 0, 'error'), { severity, code }))).toBe(refused);
  });
});
