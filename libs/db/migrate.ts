import { createHash, randomUUID } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import type { DatabaseOrTransaction } from './client.js';

/** Advisory lock that `prisma migrate deploy` also uses, so that both tools exclude each other. */
const PRISMA_MIGRATION_LOCK = 72_707_369;

/** SQLSTATE of a database that was never migrated. */
const UNDEFINED_TABLE = '42P01';

/** Prisma's own bookkeeping table, column for column. */
const CREATE_TABLE = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
    id                  VARCHAR(36) PRIMARY KEY NOT NULL,
    checksum            VARCHAR(64) NOT NULL,
    finished_at         TIMESTAMPTZ,
    migration_name      VARCHAR(255) NOT NULL,
    logs                TEXT,
    rolled_back_at      TIMESTAMPTZ,
    started_at          TIMESTAMPTZ NOT NULL DEFAULT now(),
    applied_steps_count INTEGER NOT NULL DEFAULT 0
)`;

/**
 * Error if a migration cannot be applied, or the database's history contradicts the files. The message says
 * what to do.
 */
class MigrationError extends Error {
  override readonly name = 'MigrationError';
}

interface Migration {
  name: string;
  sql: string;
  checksum: string;
}

/**
 * Applies `<migrationsDir>/<name>/migration.sql` in name order, each in its own transaction, and records them
 * in `_prisma_migrations` as `prisma migrate deploy` does, without Prisma's schema engine (which would be
 * downloaded). Then applies the SQL functions `<migrationsDir>/../functions/<name>.sql` if they have changed,
 * unless a newer release migrated the database. Concurrent callers wait for each other on an advisory lock. A
 * `schema` parameter in the URL is used.
 *
 * @returns the names applied by this call, in order, `functions` last; empty if the database was up to date
 * @throws MigrationError if an applied migration was changed afterwards, an earlier one was left half
 *   applied, or the SQL of a migration or function fails (its transaction is rolled back and nothing is
 *   recorded)
 */
export async function migrate(databaseUrl: string, migrationsDir: string): Promise<string[]> {
  const [migrations, functions] = await Promise.all([
    readMigrations(migrationsDir),
    readFunctions(join(migrationsDir, '../functions')),
  ]);
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'scriptorium-migrate' });
  // A lost connection also rejects the running statement; without this listener it would end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await useSchema(client, databaseUrl);
    await client.query('SELECT pg_advisory_lock($1)', [PRISMA_MIGRATION_LOCK]);
    await client.query(CREATE_TABLE);
    const applied = await readApplied(client);
    const pending = migrations.filter((migration) => isPending(migration, applied));
    for (const migration of pending) await apply(client, migration);
    const names = pending.map((migration) => migration.name);
    const known = new Set(migrations.map((migration) => migration.name));
    const isNewer = [...applied.keys()].some((name) => !known.has(name));
    if (!isNewer && (await applyFunctions(client, functions))) names.push('functions');
    return names;
  } finally {
    // Closing the session releases the lock in any state of the session.
    await client.end();
  }
}

/**
 * Returns the names of the pending migrations: all of them if the database was never migrated.
 *
 * @param migrations names of the migrations, or the folder that contains them
 * @throws Error if the database cannot be read
 */
export async function pendingMigrations(
  db: Pick<DatabaseOrTransaction, '$queryRaw'>,
  migrations: string | string[],
): Promise<string[]> {
  const applied = await db.$queryRaw<{ name: string }[]>`
    SELECT migration_name AS name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`.catch(
    (error: unknown) => {
      if (JSON.stringify((error as { meta?: unknown }).meta ?? {}).includes(UNDEFINED_TABLE)) return [];
      throw error;
    },
  );
  const names = new Set(applied.map(({ name }) => name));
  const needed = typeof migrations === 'string' ? await migrationNames(migrations) : migrations;
  return needed.filter((name) => !names.has(name));
}

async function migrationNames(migrationsDir: string): Promise<string[]> {
  const entries = await readdir(migrationsDir, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

async function readMigrations(migrationsDir: string): Promise<Migration[]> {
  return Promise.all(
    (await migrationNames(migrationsDir)).map(async (name) => {
      const sql = await readFile(join(migrationsDir, name, 'migration.sql'), 'utf8');
      return { name, sql, checksum: sha256(sql) };
    }),
  );
}

async function useSchema(client: pg.Client, databaseUrl: string): Promise<void> {
  const schema = new URL(databaseUrl).searchParams.get('schema');
  if (schema === null) return;
  const name = client.escapeIdentifier(schema);
  await client.query(`CREATE SCHEMA IF NOT EXISTS ${name}`);
  await client.query(`SET search_path TO ${name}`);
}

interface AppliedRow {
  migration_name: string;
  checksum: string;
  finished: boolean;
}

async function readApplied(client: pg.Client): Promise<Map<string, AppliedRow>> {
  const { rows } = await client.query<AppliedRow>(
    `SELECT migration_name, checksum, finished_at IS NOT NULL AS finished
       FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY started_at`,
  );
  return new Map(rows.map((row) => [row.migration_name, row]));
}

function isPending(migration: Migration, applied: Map<string, AppliedRow>): boolean {
  const row = applied.get(migration.name);
  if (row === undefined) return true;
  if (!row.finished) {
    throw new MigrationError(
      `Migration ${migration.name} was started by another tool and did not finish. ` +
        `Repair the database, then mark it with "prisma migrate resolve".`,
    );
  }
  // A checkout may turn LF into CRLF or back; that is not a change of the migration.
  const unix = migration.sql.replaceAll('\r\n', '\n');
  const accepted = [migration.checksum, sha256(unix), sha256(unix.replaceAll('\n', '\r\n'))];
  if (!accepted.includes(row.checksum)) {
    throw new MigrationError(
      `Migration ${migration.name} was changed after it had been applied to this database. ` +
        `Restore its migration.sql and put the change into a new migration.`,
    );
  }
  return false;
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  const startedAt = new Date();
  await runScripts(client, [{ title: `Migration ${migration.name}`, sql: migration.sql }], () =>
    client.query(
      `INSERT INTO _prisma_migrations
         (id, checksum, finished_at, migration_name, started_at, applied_steps_count)
       VALUES ($1, $2, clock_timestamp(), $3, $4, 1)`,
      [randomUUID(), migration.checksum, migration.name, startedAt],
    ),
  );
}

/**
 * Replaces the functions unless a comment on `_prisma_migrations` says that they are those of the files. Backups
 * contain the comment.
 *
 * @returns whether they were replaced
 */
async function applyFunctions(client: pg.Client, { files, checksum }: SqlFunctions): Promise<boolean> {
  if (files.length === 0) return false;
  const { rows } = await client.query<{ comment: string | null }>(
    `SELECT obj_description('_prisma_migrations'::regclass) AS comment`,
  );
  const comment = `prisma/functions: ${checksum}`;
  if (rows[0]?.comment === comment) return false;
  const scripts = files.map(({ name, sql }) => ({ title: `Function ${name}`, sql }));
  await runScripts(client, scripts, () =>
    client.query(`COMMENT ON TABLE _prisma_migrations IS '${comment}'`),
  );
  return true;
}

/** Runs scripts in one transaction, which `record` notes. @throws MigrationError with the title of the failed script */
async function runScripts(
  client: pg.Client,
  scripts: { title: string; sql: string }[],
  record: () => Promise<unknown>,
): Promise<void> {
  let current = '';
  try {
    await client.query('BEGIN');
    for (const { title, sql } of scripts) {
      current = title;
      await client.query(sql);
    }
    await record();
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    const reason = error instanceof Error ? error.message : String(error);
    throw new MigrationError(`${current} failed and was rolled back: ${reason}`, { cause: error });
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

interface SqlFunctions {
  /** Each file's name without its ending, and its text, in order of the names. */
  files: { name: string; sql: string }[];
  /** Hash of all names and texts, the same whether lines end with LF or CRLF. */
  checksum: string;
}

/** Reads `<dir>/<name>.sql`; no files if the folder does not exist. */
export async function readFunctions(dir: string): Promise<SqlFunctions> {
  const entries = await readdir(dir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const files = await Promise.all(
    entries
      .filter((entry) => entry.endsWith('.sql'))
      .sort()
      .map(async (entry) => ({
        name: entry.slice(0, -'.sql'.length),
        sql: (await readFile(join(dir, entry), 'utf8')).replaceAll('\r\n', '\n'),
      })),
  );
  return { files, checksum: createHash('sha256').update(JSON.stringify(files)).digest('hex') };
}
