import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import pg from 'pg';
import { migrate } from '#db/migrate.js';
import { projectRoot } from '#embedded/project-root.js';

const MIGRATIONS = join(projectRoot(), 'prisma/migrations');
const TEMPLATE = 'scriptorium_template';
/** Advisory lock for creating or copying the template: PostgreSQL refuses to copy a database that is in use. */
const TEMPLATE_LOCK = 7_370_001;

/** A separate database for one spec file. */
export interface TestDatabase {
  url: string;
  /** Ends open sessions and deletes the database. */
  drop(): Promise<void>;
}

/**
 * Creates a database with all migrations applied, copied from a template that the first call of a jest run creates.
 *
 * @throws Error if jest's global set-up did not run (TEST_DATABASE_URL is not set)
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await withServer(async (client) => {
    await client.query('SELECT pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    await ensureTemplate(client);
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE} STRATEGY file_copy`);
  });
  return {
    url: urlOf(name),
    drop: () => withServer((client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)),
  };
}

/** Creates a database without tables. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  const name = `empty_${randomBytes(6).toString('hex')}`;
  await withServer((client) => client.query(`CREATE DATABASE ${name}`));
  return {
    url: urlOf(name),
    drop: () => withServer((client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)),
  };
}

async function ensureTemplate(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1 AND datistemplate', [
    TEMPLATE,
  ]);
  if (rowCount !== 0) return;
  await client.query(`DROP DATABASE IF EXISTS ${TEMPLATE} WITH (FORCE)`);
  await client.query(`CREATE DATABASE ${TEMPLATE}`);
  await migrate(urlOf(TEMPLATE), MIGRATIONS);
  // Mark only a complete template, so that a failed migration is tried again.
  await client.query(`ALTER DATABASE ${TEMPLATE} IS_TEMPLATE true`);
}

async function withServer(work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl() });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

function serverUrl(): string {
  const url = process.env['TEST_DATABASE_URL'];
  if (url === undefined)
    throw new Error('TEST_DATABASE_URL is not set: run jest with test/setup/global-setup.js');
  return url;
}

function urlOf(database: string): string {
  const url = new URL(serverUrl());
  url.pathname = `/${database}`;
  return url.href;
}
