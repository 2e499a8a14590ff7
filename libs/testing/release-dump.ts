import { createEmptyDatabase, type TestDatabase } from './postgres.js';
import { createTestStorage, type TestStorage } from './storage.js';
import { migrate } from '#db/migrate.js';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';

const MIGRATIONS = join(process.cwd(), 'prisma/migrations');

/** Everything that an installation of an earlier release stored, read by `restoreRelease`. */
interface ReleaseDump {
  /** When it was made, in ISO 8601. */
  at: string;
  /** The release's newest migration. */
  migration: string;
  /** API key of the tenant that owns the runs. */
  key: string;
  /** Runs by what they wait for or how they ended. */
  runs: Record<string, { id: string; status: string }>;
  /** Rows by table, as PostgreSQL's `to_jsonb` writes them. */
  tables: Record<string, string[]>;
  sequences: { name: string; value: string }[];
  /** Objects by key, in base64. */
  files: Record<string, string>;
}

/** Database and objects of an earlier release, not yet upgraded. */
export interface RestoredRelease {
  database: TestDatabase;
  storage: TestStorage;
  dump: ReleaseDump;
  /** Returns the number of rows by table, of the tables that the release had. */
  counts(): Promise<Record<string, number>>;
  drop(): Promise<void>;
}

/**
 * Restores the dump of a release into a new database and store. Its times are moved to now, so that nothing is overdue.
 *
 * @param file gzipped JSON
 */
export async function restoreRelease(file: string): Promise<RestoredRelease> {
  const dump = JSON.parse(gunzipSync(await readFile(file)).toString()) as ReleaseDump;
  const storage = await createTestStorage({ name: 'directory' });
  const root = storage.env['STORAGE_DIR']!;
  for (const [key, content] of Object.entries(dump.files)) {
    await mkdir(dirname(join(root, key)), { recursive: true });
    await writeFile(join(root, key), Buffer.from(content, 'base64'));
  }
  const database = await createEmptyDatabase();
  await migrateTo(dump.migration, database.url);
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  // Triggers and foreign keys would refuse rows that arrive in the order of the tables' names.
  await client.query('SET session_replication_role = replica');
  for (const [table, rows] of Object.entries(dump.tables)) await insert(client, table, rows, dump.at);
  for (const { name, value } of dump.sequences)
    await client.query('SELECT setval($1, $2)', [`"${name}"`, value]);
  return {
    database,
    storage,
    dump,
    async counts() {
      const counted: Record<string, number> = {};
      for (const table of Object.keys(dump.tables)) {
        const { rows } = await client.query<{ n: number }>(`SELECT count(*)::int AS n FROM "${table}"`);
        counted[table] = rows[0]!.n;
      }
      return counted;
    },
    async drop() {
      await client.end();
      await database.drop();
      await storage.drop();
    },
  };
}

async function migrateTo(last: string, databaseUrl: string): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'scriptorium-release-'));
  for (const name of await readdir(MIGRATIONS))
    if (name <= last || name.endsWith('.toml'))
      await cp(join(MIGRATIONS, name), join(dir, name), { recursive: true });
  await migrate(databaseUrl, dir);
  await rm(dir, { recursive: true });
}

async function insert(client: pg.Client, table: string, rows: string[], at: string): Promise<void> {
  const { rows: columns } = await client.query<{ name: string; type: string }>(
    `SELECT column_name AS name, data_type AS type FROM information_schema.columns
     WHERE table_schema = 'public' AND table_name = $1 AND is_generated = 'NEVER'`,
    [table],
  );
  const names = columns.map(({ name }) => `"${name}"`).join(', ');
  const values = columns.map(({ name, type }) =>
    type.startsWith('timestamp with') ? `"${name}" + (now() - $2::timestamptz)` : `"${name}"`,
  );
  for (const row of rows)
    await client.query(
      `INSERT INTO "${table}" (${names}) OVERRIDING SYSTEM VALUE
       SELECT ${values.join(', ')} FROM jsonb_populate_record(NULL::"${table}", $1::jsonb), (SELECT $2::timestamptz) AS made`,
      [row, at],
    );
}
