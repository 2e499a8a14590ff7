import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '#testing/postgres.js';
import { migrate } from './migrate.js';
import { readFunctions } from './migrate.js';

const PRISMA = join(import.meta.dirname, '../../prisma');

describe('the functions of the database', () => {
  let database: TestDatabase;
  let client: pg.Client;

  beforeAll(async () => {
    database = await createTestDatabase();
    client = await connect(database);
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  const definitions = async () =>
    (
      await client.query<{ name: string }>(`
        SELECT proname AS name, pg_get_functiondef(oid) AS definition, proowner::int AS owner, proacl::text AS grants
        FROM pg_proc p WHERE pronamespace = current_schema()::regnamespace
          AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e') ORDER BY proname`)
    ).rows;

  it('are those of prisma/functions, one in each file, with the same bodies', async () => {
    const { files } = await readFunctions(join(PRISMA, 'functions'));
    const migrated = await definitions();
    expect(files.map(({ name }) => name)).toEqual(migrated.map(({ name }) => name));
    for (const { name, sql } of files) {
      expect(sql.match(/^CREATE .*?FUNCTION "?(\w+)/gm)).toEqual([
        expect.stringMatching(`OR REPLACE .*${name}$`),
      ]);
      await client.query(sql);
    }
    expect(await definitions()).toEqual(migrated);
  });

  it('have no grants of their own, and only the trigger of sources has the rights of its owner', async () => {
    const { rows } = await client.query<object>(`
      SELECT proname AS name, proconfig AS settings FROM pg_proc
      WHERE pronamespace = current_schema()::regnamespace AND (prosecdef OR proacl IS NOT NULL)`);
    expect(rows).toEqual([
      { name: 'tell_of_source', settings: [expect.stringMatching('^search_path=.*public')] },
    ]);
  });

  it('change only with a migration, by which an older release recognizes the newer database', async () => {
    const migrations = (await readdir(join(PRISMA, 'migrations'))).filter((name) => !name.endsWith('.toml'));
    const texts = await Promise.all(
      migrations.sort().map((name) => readFile(join(PRISMA, 'migrations', name, 'migration.sql'), 'utf8')),
    );
    const { checksum } = await readFunctions(join(PRISMA, 'functions'));
    const named = texts.flatMap((text) => [...text.matchAll(/^-- prisma\/functions: (\w+)$/gm)]);
    expect(named.at(-1)![1]).toBe(checksum);
  });
});

describe('migrate', () => {
  let prisma: string;
  let database: TestDatabase;
  let client: pg.Client;

  beforeEach(async () => {
    prisma = await mkdtemp(join(tmpdir(), 'scriptorium-functions-'));
    await addMigration('1_init', 'CREATE FUNCTION answer() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$;');
    await writeAnswer('SELECT 2');
    database = await createEmptyDatabase();
    client = await connect(database);
  });
  afterEach(async () => {
    await client.end();
    await database.drop();
    await rm(prisma, { recursive: true });
  });

  const start = (folder = prisma) => migrate(database.url, join(folder, 'migrations'));
  const answer = async () => (await client.query<{ answer: number }>('SELECT answer()')).rows[0]!.answer;
  const addMigration = async (name: string, sql: string) => {
    await mkdir(join(prisma, 'migrations', name), { recursive: true });
    await writeFile(join(prisma, 'migrations', name, 'migration.sql'), sql);
  };
  const writeAnswer = async (body: string, name = 'answer') => {
    await mkdir(join(prisma, 'functions'), { recursive: true });
    await writeFile(
      join(prisma, 'functions', `${name}.sql`),
      `CREATE OR REPLACE FUNCTION ${name}() RETURNS int\nLANGUAGE sql AS $$ ${body} $$;\n`,
    );
  };

  it('applies the functions after the migrations, and again only if a file has changed', async () => {
    expect(await start()).toEqual(['1_init', 'functions']);
    expect(await answer()).toBe(2);
    expect(await start()).toEqual([]);
    const file = join(prisma, 'functions/answer.sql');
    await writeFile(file, (await readFile(file, 'utf8')).replaceAll('\n', '\r\n'));
    expect(await start()).toEqual([]);
    await writeAnswer('SELECT 3');
    expect(await start()).toEqual(['functions']);
    expect(await answer()).toBe(3);
  });

  it('applies the functions once if several processes start together', async () => {
    await start();
    await writeAnswer('SELECT 3');
    const results = await Promise.all(Array.from({ length: 5 }, () => start()));
    expect(results.flat()).toEqual(['functions']);
    expect(await answer()).toBe(3);
  });

  it('leaves the functions of a newer release alone', async () => {
    const older = await mkdtemp(join(tmpdir(), 'scriptorium-older-'));
    await cp(prisma, older, { recursive: true });
    await start(older);
    await addMigration('2_answer', '-- A new body.');
    await writeAnswer('SELECT 3');
    expect(await start()).toEqual(['2_answer', 'functions']);
    expect(await start(older)).toEqual([]);
    expect(await answer()).toBe(3);
    await rm(older, { recursive: true });
  });

  it('applies all functions or none, and names the one that failed', async () => {
    await start();
    await writeAnswer('SELECT 3');
    await writeAnswer('SELECT nonsense', 'broken');
    await expect(start()).rejects.toThrow(/^Function broken failed and was rolled back: .*nonsense/);
    expect(await answer()).toBe(2);
    await writeAnswer('SELECT 4', 'broken');
    expect(await start()).toEqual(['functions']);
  });

  it('uses the schema of the URL', async () => {
    await migrate(`${database.url}?schema=other`, join(prisma, 'migrations'));
    expect((await client.query('SELECT other.answer()')).rows).toEqual([{ answer: 2 }]);
  });
});

async function connect({ url }: TestDatabase): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}
