import { createHash } from 'node:crypto';
import type pg from 'pg';

/** A table of the database; rows may belong to tenants by a tenant, session or run column. */
export interface TenantTable {
  name: string;
  columns: { name: string; type: string; required: boolean }[];
}

const LINKS = ['tenant_id', 'session_id', 'run_id', 'thread_id'];
/** Tables in the order of insertion, referenced ones first. */
const ORDER = [
  ...['tenants', 'sessions', 'runs', 'tasks', 'webhooks', 'mcp_servers', 'book_projects', 'book_chapters'],
  ...['saved_plans', 'schedules'],
  ...['knowledge_collections', 'knowledge_sources', 'knowledge_segments', 'knowledge_chunks'],
];
const rank = (name: string) => (ORDER.indexOf(name) + ORDER.length + 1) % (ORDER.length + 1);

/** Returns every table with its columns, except the bookkeeping of migrations. */
export async function allTables(client: pg.Client): Promise<TenantTable[]> {
  const { rows } = await client.query<{ table: string; column: string; type: string; required: boolean }>(`
    SELECT table_name AS "table", column_name AS "column", data_type AS type,
      is_nullable = 'NO' AND column_default IS NULL AS required
    FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
    WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND table_name <> '_prisma_migrations'
    ORDER BY table_name, ordinal_position`);
  const tables = new Map<string, TenantTable>();
  for (const { table, column: name, type, required } of rows) {
    const found = tables.get(table) ?? { name: table, columns: [] };
    found.columns.push({ name, type, required });
    tables.set(table, found);
  }
  return [...tables.values()].sort((a, b) => rank(a.name) - rank(b.name) || (a.name < b.name ? -1 : 1));
}

/** Returns whether rows of a table belong to tenants. */
export const holdsTenantRows = ({ name, columns }: TenantTable) =>
  name === 'tenants' || name === 'purges' || columns.some((column) => LINKS.includes(column.name));

/**
 * Returns a row of a table for a tenant. IDs derive from table and tenant, so that rows of a tenant refer to each other.
 *
 * @param variant distinguishes several rows of a tenant
 */
export function rowOf(table: TenantTable, tenantId: string, variant = ''): Record<string, unknown> {
  const links: Record<string, string> = {
    tenant_id: tenantId,
    session_id: `sessions_${tenantId}`,
    run_id: `runs_${tenantId}`,
    thread_id: `runs_${tenantId}`,
    decision_id: `tasks_${tenantId}`,
    schedule_id: `schedules_${tenantId}`,
    saved_plan_id: `saved_plans_${tenantId}`,
    webhook_id: `webhooks_${tenantId}`,
    server_id: `mcp_servers_${tenantId}`,
    collection_id: `knowledge_collections_${tenantId}`,
    source_id: `knowledge_sources_${tenantId}`,
    chunk_id: `knowledge_chunks_${tenantId}`,
    project_id: `book_projects_${tenantId}`,
    chapter_id: `book_chapters_${tenantId}`,
    prefix: table.name === 'purges' ? `tenants/${tenantId}/sessions/${variant}x/` : `${tenantId}${variant}`,
  };
  const entries = table.columns
    .filter(({ name, required }) => required || name in links)
    .map(({ name, type }) => [name, links[name] ?? valueOf(table.name, name, type, tenantId, variant)]);
  return Object.fromEntries(entries) as Record<string, unknown>;
}

function valueOf(table: string, column: string, type: string, tenantId: string, variant: string): unknown {
  if (table === 'tenants' && column === 'id') return tenantId;
  if (column === 'id' && type === 'text') return `${table}_${tenantId}${variant}`;
  // Derive these numbers from the tenant, so that two tenants never share a value.
  if (column === 'ordinal' || column === 'bucket')
    return createHash('md5')
      .update(tenantId + variant)
      .digest()
      .readUInt16LE();
  switch (type) {
    case 'smallint':
    case 'integer':
    case 'bigint':
    case 'double precision':
      return 1;
    case 'boolean':
      return true;
    case 'jsonb':
      return '{}';
    case 'timestamp with time zone':
      return new Date(0);
    case 'bytea':
      return Buffer.from('x');
    case 'ARRAY':
      return [];
    default:
      return `${column}_${tenantId}${variant}`;
  }
}

/** Returns an `INSERT` of a row, with its values. */
export function insertOf(table: string, row: Record<string, unknown>): { text: string; values: unknown[] } {
  const names = Object.keys(row);
  const places = names.map((_, index) => `$${index + 1}`);
  return {
    text: `INSERT INTO "${table}" (${names.map((name) => `"${name}"`).join(', ')}) VALUES (${places.join(', ')})`,
    values: Object.values(row),
  };
}
