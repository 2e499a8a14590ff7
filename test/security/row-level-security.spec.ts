import { createDatabase, type Database } from '#db/client.js';
import { asService, asTenant } from '#db/tenant-scope.js';
import { createTestDatabase, type TestDatabase } from '#testing/postgres.js';
import { allTables, holdsTenantRows, insertOf, rowOf, type TenantTable } from '#testing/seed-tables.js';
import pg from 'pg';

const A = 'ten_a';
const B = 'ten_b';
/** Tables without data of tenants, which the tenant role may not access. */
const OF_THE_SERVICE = ['rate_counts'];

/**
 * The second line of defence: PostgreSQL limits what a tenant's statement can see and do, whatever the statement says.
 */
describe('row-level security', () => {
  let database: TestDatabase;
  let owner: pg.Client;
  let db: Database;
  let tables: TenantTable[];

  beforeAll(async () => {
    database = await createTestDatabase();
    owner = new pg.Client({ connectionString: database.url });
    await owner.connect();
    db = createDatabase(database.url, 2);
    tables = await allTables(owner);
    for (const table of tables.filter(holdsTenantRows))
      for (const tenant of [A, B]) await owner.query(insertOf(table.name, rowOf(table, tenant)));
  });
  afterAll(async () => {
    await db.$disconnect();
    await owner.end();
    await database.drop();
  });

  const asA = <T>(work: () => Promise<T>) => asTenant(A, work);
  const rowsOf = async (table: string) =>
    (await owner.query(`SELECT * FROM "${table}" t ORDER BY t::text`)).rows;
  /** The rows of B, as the owner sees them. */
  const ofB = async ({ name }: TenantTable) =>
    (await rowsOf(name)).filter((row) => JSON.stringify(row).includes(B));
  const isRefused = async (statement: Promise<unknown>) => {
    const error = await statement.then(
      () => null,
      (reason: unknown) => String(reason),
    );
    return error !== null && /row-level security|permission denied/.test(error);
  };

  it('every table with rows of tenants has a policy, and all others are inaccessible to them', async () => {
    const { rows } = await owner.query<{ name: string; protected: boolean; open: boolean }>(`
      SELECT c.relname AS name,
        c.relrowsecurity AND EXISTS (SELECT 1 FROM pg_policy p WHERE p.polrelid = c.oid) AS protected,
        has_table_privilege('scriptorium_tenant', c.oid, 'SELECT, INSERT, UPDATE, DELETE, TRUNCATE') AS open
      FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm')`);
    const ofTenants = tables.filter(holdsTenantRows).map(({ name }) => name);
    expect(tables.map(({ name }) => name).filter((name) => !ofTenants.includes(name))).toEqual(
      OF_THE_SERVICE,
    );
    expect(
      rows
        .filter((row) => row.protected)
        .map(({ name }) => name)
        .sort(),
    ).toEqual([...ofTenants].sort());
    expect(rows.filter((row) => row.open && !ofTenants.includes(row.name))).toEqual([]);
  });

  it('a query without conditions returns only the tenant’s own rows', async () => {
    for (const table of tables.filter(holdsTenantRows)) {
      const seen = await asA(() =>
        db.$queryRawUnsafe<object[]>(`SELECT t::text AS row FROM "${table.name}" t`),
      );
      expect([table.name, seen.length]).toEqual([table.name, 1]);
      expect(JSON.stringify(seen)).not.toContain(B);
      const all = await asService(() => db.$queryRawUnsafe<object[]>(`SELECT 1 FROM "${table.name}"`));
      expect([table.name, all.length]).toEqual([table.name, 2]);
    }
  });

  it('rows of another tenant cannot be changed or removed', async () => {
    for (const table of tables.filter(holdsTenantRows)) {
      const before = await ofB(table);
      const column = table.columns[0]!.name;
      for (const sql of [
        `UPDATE "${table.name}" SET "${column}" = "${column}"`,
        `DELETE FROM "${table.name}"`,
      ]) {
        const changed = asA(() =>
          db.$transaction(async (tx) => {
            const count = await tx.$executeRawUnsafe(sql);
            await tx.$executeRawUnsafe("SELECT set_config('scriptorium.undo', $1, true)", String(count));
            throw new Error(`undo ${count}`);
          }),
        ).catch((error: unknown) => String(error));
        expect([sql, await changed]).toEqual([sql, expect.stringMatching(/undo [01]$|permission denied/)]);
      }
      expect(await ofB(table)).toEqual(before);
    }
  });

  it('rows cannot be inserted for another tenant or refer to its rows', async () => {
    for (const table of tables.filter(holdsTenantRows)) {
      const foreign = insertOf(table.name, rowOf(table, B, '2'));
      const insert = (row: { text: string; values: unknown[] }) =>
        isRefused(asA(() => db.$executeRawUnsafe(cast(table, row.text), ...row.values)));
      expect([table.name, await insert(foreign)]).toEqual([table.name, true]);
      for (const link of ['session_id', 'run_id', 'thread_id']) {
        if (!table.columns.some(({ name }) => name === link)) continue;
        const row = { ...rowOf(table, A, '3'), [link]: rowOf(table, B)[link] };
        expect([table.name, link, await insert(insertOf(table.name, row))]).toEqual([table.name, link, true]);
      }
    }
  });

  it('a tenant cannot give its row to another tenant, raise its limits or change its log', async () => {
    const refused = [
      `UPDATE sessions SET tenant_id = '${B}'`,
      `UPDATE tenants SET max_active_runs = 1000`,
      `UPDATE tenants SET id = '${B}x'`,
      `UPDATE audit_log SET actor = 'nobody'`,
      `DELETE FROM audit_log`,
      `SELECT * FROM rate_counts`,
      `SELECT * FROM _prisma_migrations`,
    ];
    for (const sql of refused)
      expect([sql, await isRefused(asA(() => db.$executeRawUnsafe(sql)))]).toEqual([sql, true]);
  });

  it('role and tenant end with the statement and with the transaction, also after an error', async () => {
    const who = () =>
      db.$queryRaw<{ role: string; tenant: string }[]>`
        SELECT current_user::text AS role, coalesce(current_setting('scriptorium.tenant', true), '') AS tenant`;
    expect(await asA(who)).toEqual([{ role: 'scriptorium_tenant', tenant: A }]);
    expect((await asService(who))[0]!.tenant).toBe('');
    await expect(asA(() => db.$executeRawUnsafe('SELECT 1/0'))).rejects.toThrow();
    await expect(
      asA(() =>
        db.$transaction(async (tx) => {
          expect(await tx.session.count()).toBe(1);
          throw new Error('undone');
        }),
      ),
    ).rejects.toThrow('undone');
    expect((await who())[0]!.role).not.toBe('scriptorium_tenant');
    expect(await asTenant(B, who)).toEqual([{ role: 'scriptorium_tenant', tenant: B }]);
  });

  it('concurrent statements of many tenants on few connections never mix', async () => {
    const tenants = Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? A : B));
    const seen = await Promise.all(
      tenants.map((tenant) =>
        asTenant(tenant, async () => {
          const first = await db.session.findFirst();
          const [second] = await db.$transaction([db.run.findFirst()]);
          return [first?.tenantId, second?.tenantId];
        }),
      ),
    );
    expect(seen).toEqual(tenants.map((tenant) => [tenant, tenant]));
  });

  it('a statement for one run reads no other runs of the tenant, although it was planned when the tables were small', async () => {
    const reader = new pg.Client({ connectionString: database.url });
    await reader.connect();
    await reader.query(`SET ROLE scriptorium_tenant; SET scriptorium.tenant = '${A}'`);
    await reader.query(`SET plan_cache_mode = force_generic_plan;
      PREPARE one (text) AS SELECT runs.status, run_events.seq FROM runs, run_events WHERE runs.id = $1 AND run_events.run_id = $1`);
    await reader.query(`EXECUTE one('runs_${A}')`);
    await owner.query(`
      INSERT INTO runs (id, tenant_id, session_id, kind, status, inputs, graph_version)
      SELECT 'more' || n, '${A}', 'sessions_${A}', 'tiny', 'completed', '{}', '1' FROM generate_series(1, 200) n`);
    const { rows } = await reader.query<{ 'QUERY PLAN': string }>(`EXPLAIN ANALYZE EXECUTE one('runs_${A}')`);
    await reader.end();
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain('runs_pkey');
    expect(plan).not.toMatch(/Rows Removed by Filter: \d\d|rows=\d\d\d?\.\d+ loops/);
  });

  it('an invalid tenant ID is rejected before it reaches the database', () => {
    for (const id of ["x'; RESET ROLE; --", '', 'a b', 'x'.repeat(65)])
      expect(() => asTenant(id, () => undefined)).toThrow('not the id of a tenant');
  });
});

/** Parameters are untyped text; the columns' types are not. */
function cast({ columns }: TenantTable, text: string): string {
  const names = [...text.matchAll(/"(\w+)"(?=[,)])/g)].map((match) => match[1]!);
  const types: Record<string, string> = {
    jsonb: '::jsonb',
    bigint: '::bigint',
    ARRAY: '::text[]',
    bytea: '::bytea',
  };
  return names.reduce((sql, name, index) => {
    const type = columns.find((column) => column.name === name)?.type ?? '';
    return sql.replace(new RegExp(`\\$${index + 1}(?!\\d)`), `$${index + 1}${types[type] ?? ''}`);
  }, text);
}
