import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type TestDatabase, createEmptyDatabase, createTestDatabase } from '#testing/postgres.js';
import { migrate } from './migrate.js';

describe('migrate', () => {
  let dir: string;
  let database: TestDatabase;

  const add = async (name: string, sql: string) => {
    await mkdir(join(dir, name), { recursive: true });
    await writeFile(join(dir, name, 'migration.sql'), sql);
  };
  const rows = async (sql: string) => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(sql)).rows;
    } finally {
      await client.end();
    }
  };

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'scriptorium-migrate-'));
    database = await createEmptyDatabase();
    await writeFile(join(dir, 'migration_lock.toml'), 'provider = "postgresql"\n');
  });

  afterEach(async () => {
    await database.drop();
    await rm(dir, { recursive: true });
  });

  it('applies migrations once, in the order of their names, and records them like Prisma', async () => {
    const second = 'INSERT INTO t VALUES (1); INSERT INTO t VALUES (2);';
    await add('20260102000000_rows', second);
    await add('20260101000000_init', 'CREATE TABLE t (n int);');
    expect(await migrate(database.url, dir)).toEqual(['20260101000000_init', '20260102000000_rows']);
    expect(await migrate(database.url, dir)).toEqual([]);
    expect(await rows('SELECT count(*)::int AS n FROM t')).toEqual([{ n: 2 }]);
    const recorded = await rows(
      `SELECT checksum, applied_steps_count, logs, rolled_back_at, length(id) AS id,
              finished_at >= started_at AS finished
         FROM _prisma_migrations ORDER BY migration_name DESC LIMIT 1`,
    );
    const checksum = createHash('sha256').update(second).digest('hex');
    expect(recorded).toEqual([
      { checksum, applied_steps_count: 1, logs: null, rolled_back_at: null, id: 36, finished: true },
    ]);
  });

  it('applies each migration once if several processes migrate at the same time', async () => {
    await add('1_init', 'CREATE TABLE t (n int);');
    const results = await Promise.all(Array.from({ length: 5 }, () => migrate(database.url, dir)));
    expect(results.flat()).toEqual(['1_init']);
  });

  it('rejects an applied migration that was changed, unless only its line ends were', async () => {
    await add('1_init', 'CREATE TABLE t (\n n int);\n');
    await migrate(database.url, dir);
    await add('1_init', 'CREATE TABLE t (\r\n n int);\r\n');
    expect(await migrate(database.url, dir)).toEqual([]);
    await add('1_init', 'CREATE TABLE t (n bigint);\n');
    await expect(migrate(database.url, dir)).rejects.toThrow(/1_init was changed after it had been applied/);
  });

  it('rolls a failed migration back completely', async () => {
    await add('1_good', 'CREATE TABLE good (n int);');
    await add('2_bad', 'CREATE TABLE bad (n int); SELECT nonsense;');
    await expect(migrate(database.url, dir)).rejects.toThrow(/2_bad failed and was rolled back.*nonsense/);
    expect(await rows(`SELECT to_regclass('good') IS NOT NULL AS good, to_regclass('bad') AS bad`)).toEqual([
      { good: true, bad: null },
    ]);
    await add('2_bad', 'CREATE TABLE bad (n int);');
    expect(await migrate(database.url, dir)).toEqual(['2_bad']);
  });

  it('reports how to resolve a migration that another tool left unfinished', async () => {
    await add('1_init', 'CREATE TABLE t (n int);');
    await migrate(database.url, dir);
    await rows('UPDATE _prisma_migrations SET finished_at = NULL');
    await expect(migrate(database.url, dir)).rejects.toThrow(/prisma migrate resolve/);
    await rows('UPDATE _prisma_migrations SET rolled_back_at = now()');
    await add('1_init', 'CREATE TABLE IF NOT EXISTS t (n int);');
    expect(await migrate(database.url, dir)).toEqual(['1_init']);
  });

  it('uses the schema of the URL', async () => {
    await add('1_init', 'CREATE TABLE t (n int);');
    await migrate(`${database.url}?schema=other`, dir);
    expect(await rows(`SELECT to_regclass('other.t') IS NOT NULL AS there`)).toEqual([{ there: true }]);
  });
});

describe('createTestDatabase', () => {
  it('creates a separate database for each of several concurrent callers', async () => {
    const databases = await Promise.all(Array.from({ length: 3 }, () => createTestDatabase()));
    expect(new Set(databases.map((database) => database.url)).size).toBe(3);
    await Promise.all(databases.map((database) => database.drop()));
  });
});
