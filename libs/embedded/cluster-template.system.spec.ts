import { existsSync } from 'node:fs';
import { chmod, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '#db/migrate.js';
import { templateName, templatesDir } from './postgres-home.js';
import { locateBinaries } from './postgres-binaries.js';
import { withClient } from './postgres-server.js';
import { type EmbeddedPostgres, startPostgres } from './postgres.js';
import { projectRoot } from './project-root.js';

const MIGRATIONS = join(projectRoot(), 'prisma/migrations');
const name = await templateName(await locateBinaries());

const query = (url: string, sql: string) =>
  withClient(url, async (client) => (await client.query<Record<string, unknown>>(sql)).rows);

/** Everything that migrations create, and how the database sorts and checks. */
const SCHEMA = [
  `SELECT attrelid::regclass::text AS rel, attnum, attname, format_type(atttypid, atttypmod) AS type, attnotnull,
          pg_get_expr(adbin, adrelid) AS value, relkind, relrowsecurity, relforcerowsecurity, relacl::text
     FROM pg_attribute JOIN pg_class c ON c.oid = attrelid LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
    WHERE relnamespace = 'public'::regnamespace AND attnum > 0 AND NOT attisdropped ORDER BY rel, attnum`,
  `SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY indexdef`,
  `SELECT conrelid::regclass::text AS rel, conname, pg_get_constraintdef(oid) AS def FROM pg_constraint
    WHERE connamespace = 'public'::regnamespace ORDER BY rel, conname`,
  `SELECT pg_get_functiondef(oid) AS def FROM pg_proc
    WHERE pronamespace = 'public'::regnamespace AND prokind = 'f' ORDER BY def`,
  `SELECT tgrelid::regclass::text AS rel, pg_get_triggerdef(oid) AS def FROM pg_trigger
    WHERE NOT tgisinternal ORDER BY rel, def`,
  `SELECT tablename, policyname, roles, cmd, qual, with_check FROM pg_policies ORDER BY tablename, policyname`,
  `SELECT rolname, rolsuper, rolbypassrls, rolcanlogin FROM pg_roles ORDER BY rolname`,
  `SELECT extname, extversion FROM pg_extension ORDER BY extname`,
  `SELECT migration_name, checksum, obj_description('_prisma_migrations'::regclass) FROM _prisma_migrations
    ORDER BY migration_name`,
  `SELECT datname, encoding, datlocprovider, datcollate, datctype, datlocale FROM pg_database ORDER BY datname`,
  `SELECT name, setting FROM pg_settings
    WHERE name IN ('data_checksums', 'password_encryption', 'wal_segment_size', 'max_connections', 'wal_recycle')
    ORDER BY name`,
  `SELECT line_number, type, database, user_name, address, auth_method FROM pg_hba_file_rules ORDER BY line_number`,
];

async function schemaOf({ url }: EmbeddedPostgres): Promise<unknown[]> {
  const parts = [];
  for (const sql of SCHEMA) parts.push(await query(url, sql));
  return parts;
}

const isMigrated = async ({ url }: EmbeddedPostgres) =>
  (await query(url, `SELECT to_regclass('runs') IS NOT NULL AS yes`))[0]?.['yes'];

describe('a new data directory', () => {
  let folder: string;
  const running: EmbeddedPostgres[] = [];
  const start = async (dir: string, templates?: string) => {
    const server = await startPostgres({ dataDir: join(folder, dir), ...(templates && { templates }) });
    running.push(server);
    return server;
  };

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'scriptorium-template-spec-'));
    // As root, PostgreSQL runs under another account, which needs to traverse this folder.
    await chmod(folder, 0o711);
  });

  afterEach(async () => {
    for (const server of running.splice(0)) await server.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('is a copy of the template, with the schema of one that initdb created', async () => {
    const copy = await start('copy', templatesDir());
    expect(await isMigrated(copy)).toBe(true);
    expect(await migrate(copy.url, MIGRATIONS)).toEqual([]);
    const created = await start('created');
    expect(await isMigrated(created)).toBe(false);
    await migrate(created.url, MIGRATIONS);
    expect(await schemaOf(copy)).toEqual(await schemaOf(created));
    expect(existsSync(join(folder, 'copy/cluster.new'))).toBe(false);
  });

  it('has its own password, which no other directory accepts', async () => {
    const [one, two] = [await start('one', templatesDir()), await start('two', templatesDir())];
    const [first, second] = [new URL(one.url), new URL(two.url)];
    expect(first.password).not.toBe(second.password);
    first.password = second.password;
    await expect(query(first.href, 'SELECT 1')).rejects.toMatchObject({ code: '28P01' });
    const stored = `SELECT rolpassword FROM pg_authid WHERE rolname = 'postgres'`;
    expect(await query(one.url, stored)).not.toEqual(await query(two.url, stored));
  });

  it('keeps its data and password when it is started again', async () => {
    const first = await start('kept', templatesDir());
    await query(first.url, 'CREATE TABLE t AS SELECT 42 AS answer');
    await first.stop();
    const again = await start('kept', templatesDir());
    expect(again.url).toBe(first.url);
    expect(await query(again.url, 'SELECT answer FROM t')).toEqual([{ answer: 42 }]);
  });

  it('is created by initdb if the template is missing', async () => {
    expect(await isMigrated(await start('data', join(folder, 'no-templates')))).toBe(false);
  });

  it.each([
    ['empty control file', 'global/pg_control', ''],
    ['file of another major version', 'PG_VERSION', '17\n'],
  ])('is created by initdb if the template is damaged: %s', async (_, file, content) => {
    const templates = join(folder, 'templates');
    await cp(join(templatesDir(), name), join(templates, name), { recursive: true });
    await writeFile(join(templates, name, file), content);
    const server = await start('data', templates);
    expect(await isMigrated(server)).toBe(false);
    expect(await readFile(join(folder, 'data/cluster/PG_VERSION'), 'utf8')).toBe('18\n');
  });
});
