import { createDatabase, type Database } from '#db/client.js';
import type { PageRequest } from '#db/page.js';
import { ApiKeyRepository } from '#db/repositories/api-keys.js';
import { AuditRepository } from '#db/repositories/audit.js';
import { DecisionRepository, EarlyAnswerRepository } from '#db/repositories/decisions.js';
import { ExportRepository } from '#db/repositories/exports.js';
import { SecretRepository } from '#plan/store/secrets.js';
import { McpServerRepository } from '#plan/store/mcp-servers.js';
import { NamedCheckpointRepository } from '#db/repositories/named-checkpoints.js';
import { RunRepository } from '#db/repositories/runs.js';
import { SessionFileRepository } from '#db/repositories/session-files.js';
import { SessionRepository } from '#db/repositories/sessions.js';
import { WebhookRepository } from '#db/repositories/webhooks.js';
import { asTenant } from '#db/tenant-scope.js';
import { TENANT_ROLE } from '#db/client.js';
import { createTestDatabase, type TestDatabase } from '#testing/postgres.js';
import pg from 'pg';

/** Rows of each table that the large tenant has, and all others together. */
const ROWS = 20_000;
const OTHERS = 50;
const PAGE = 51;
/**
 * Maximum number of rows that a page may read: its own, adjacent ones, and for each the row that row-level security
 * needs.
 */
const MAX_ROWS_READ = 1_000;

/** Questions that wait for a person; a page of the running runs passes over each, and the run that it belongs to. */
const OPEN_QUESTIONS = ROWS / 10;

interface Plan {
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Relation Name'?: string;
  Plans?: Plan[];
}

/** Rows that a query plan read from tables, used or not. */
function rowsOf(plan: Plan): number {
  const own = plan['Relation Name'] !== undefined;
  const rows = plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0);
  return (
    (own ? rows * plan['Actual Loops'] : 0) +
    (plan.Plans ?? []).reduce((sum, child) => sum + rowsOf(child), 0)
  );
}

function literal(value: unknown): string {
  if (value === null) return 'NULL';
  if (Array.isArray(value)) return `'{${value.map((item) => JSON.stringify(item)).join(',')}}'`;
  return pg.escapeLiteral(value instanceof Date ? value.toISOString() : String(value));
}

/** How a page of each list is read from tables with many rows, of tenants of different sizes. */
describe('API4 a page of a list', () => {
  let database: TestDatabase;
  let db: Database;
  let client: pg.Client;
  const sent: { text: string; values: unknown[] }[] = [];
  const query = pg.Client.prototype.query;

  beforeAll(async () => {
    database = await createTestDatabase();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await seed(client);
    pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
      const config = args[0] as { text?: string; values?: unknown[] };
      if (this !== client && config.text?.includes('SELECT'))
        sent.push({ text: config.text, values: config.values ?? (args[1] as unknown[]) ?? [] });
      return (query as (...all: unknown[]) => unknown).apply(this, args);
    } as never;
    db = createDatabase(database.url, 1);
  });
  afterAll(async () => {
    pg.Client.prototype.query = query;
    await db.$disconnect();
    await client.end();
    await database.drop();
  });

  /** The most rows that one of the statements of a list looked at. */
  async function rowsRead(tenantId: string, read: () => Promise<unknown>): Promise<number> {
    sent.length = 0;
    await asTenant(tenantId, read);
    const counts: number[] = [];
    for (const { text, values } of [...sent]) {
      await client.query(
        `BEGIN; SET LOCAL ROLE ${TENANT_ROLE}; SET LOCAL scriptorium.tenant = '${tenantId}'`,
      );
      await client.query(`PREPARE listed AS ${text}`);
      const execute = `EXECUTE listed${values.length === 0 ? '' : `(${values.map(literal).join(', ')})`}`;
      // PostgreSQL plans a statement for its values first, and may use a generic plan from the sixth execution on.
      for (let time = 1; time <= 6; time++) {
        const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
          `EXPLAIN (ANALYZE, FORMAT JSON) ${execute}`,
        );
        counts.push(rowsOf(rows[0]!['QUERY PLAN'][0].Plan));
      }
      await client.query('ROLLBACK; DEALLOCATE listed');
    }
    return Math.max(...counts);
  }

  const run = (tenantId: string) => `run_${tenantId}_5`;
  const session = (tenantId: string) => `ses_${tenantId}_5`;
  const lists: Record<string, (tenantId: string, page: PageRequest) => Promise<unknown>> = {
    sessions: (tenantId, page) => new SessionRepository(db).page(tenantId, page),
    runs: (tenantId, page) => new RunRepository(db).page(tenantId, {}, page),
    'runs of a session': (tenantId, page) =>
      new RunRepository(db).page(tenantId, { sessionId: session(tenantId) }, page),
    'runs of a rare status': (tenantId, page) =>
      new RunRepository(db).page(tenantId, { status: 'rejected' }, page),
    'runs of a common status': (tenantId, page) =>
      new RunRepository(db).page(tenantId, { status: 'completed' }, page),
    'runs that need an answer': (tenantId, page) =>
      new RunRepository(db).page(tenantId, { status: 'needs_answer' }, page),
    'running runs': (tenantId, page) => new RunRepository(db).page(tenantId, { status: 'running' }, page),
    'runs of a kind': (tenantId, page) => new RunRepository(db).page(tenantId, { kind: 'document' }, page),
    'open decisions': (tenantId, page) => new DecisionRepository(db).page(tenantId, { status: 'open' }, page),
    'answered decisions': (tenantId, page) =>
      new DecisionRepository(db).page(tenantId, { status: 'answered' }, page),
    'all decisions': (tenantId, page) => new DecisionRepository(db).page(tenantId, { status: 'all' }, page),
    'decisions of a run': (tenantId, page) =>
      new DecisionRepository(db).page(tenantId, { status: 'all', runId: run(tenantId) }, page),
    'open decisions of one key': (tenantId, page) =>
      new DecisionRepository(db).page(tenantId, { status: 'open', assignee: 'reviewer' }, page),
    'open decisions of no key': (tenantId, page) =>
      new DecisionRepository(db).page(tenantId, { status: 'open', assignee: 'nobody' }, page),
    keys: (tenantId, page) => new ApiKeyRepository(db).page(tenantId, page),
    'early answers': (tenantId, page) => new EarlyAnswerRepository(db).page(tenantId, run(tenantId), page),
    checkpoints: (tenantId, page) =>
      new NamedCheckpointRepository(db).page(tenantId, session(tenantId), page),
    exports: (tenantId, page) => new ExportRepository(db).page(tenantId, session(tenantId), page),
    inputs: (tenantId) => new SessionFileRepository(db).list(tenantId, session(tenantId), 'inputs'),
    webhooks: (tenantId) => new WebhookRepository(db).list(tenantId),
    'MCP servers': (tenantId) => new McpServerRepository(db).list(tenantId),
    'approved MCP tools': (tenantId) => new McpServerRepository(db).approved(tenantId),
    secrets: (tenantId) => new SecretRepository(db).list(tenantId),
    audit: (tenantId, page) => new AuditRepository(db).page(tenantId, page),
  };

  describe.each(['large', 'small'])('of a %s tenant', (tenantId) => {
    it.each(Object.keys(lists))('%s', async (name) => {
      const middle = { createdAt: new Date(Date.UTC(2026, 10, 22) - (ROWS / 2) * 1_000), id: 'm' };
      for (const page of [{ take: PAGE }, { take: PAGE, after: middle }]) {
        const rows = await rowsRead(tenantId, () => lists[name]!(tenantId, page));
        expect(rows).toBeGreaterThanOrEqual(0);
        expect(rows).toBeLessThanOrEqual(MAX_ROWS_READ + (name === 'running runs' ? 2 * OPEN_QUESTIONS : 0));
      }
    });
  });
});

/**
 * In every table: a tenant with many rows, a tenant with few, and as many rows of many other tenants, interleaved as
 * concurrent tenants write them.
 */
async function seed(client: pg.Client): Promise<void> {
  await client.query(`
    CREATE TEMP TABLE n AS SELECT n, tenant, tenant || '_' || n AS name, 'ses_' || tenant || '_' || n % (${ROWS} / 5) AS session,
      timestamptz '2026-11-22Z' - make_interval(secs => n) AS at
    FROM generate_series(0, ${ROWS} - 1) n, LATERAL (
      SELECT 'large' UNION ALL SELECT 'other' || n % ${OTHERS} UNION ALL SELECT 'small' WHERE n % (${ROWS} / 10) = 7) t (tenant)
    ORDER BY n DESC;
    INSERT INTO tenants (id, name) SELECT DISTINCT tenant, 'test' FROM n;
    INSERT INTO api_keys (id, tenant_id, prefix, hash, name) SELECT name, tenant, name, '', 'key' FROM n WHERE n < 100;
    INSERT INTO webhooks (id, tenant_id, url, events, secret) SELECT DISTINCT tenant, tenant, '', '{}'::text[], '' FROM n;
    INSERT INTO mcp_servers (id, tenant_id, name, url, header_names, secrets)
      SELECT 'mcp_' || name, tenant, name, '', '{}'::text[], '' FROM n WHERE n < 100;
    INSERT INTO tool_secrets (id, tenant_id, name, hosts, secret)
      SELECT 'sec_' || name, tenant, name, '{}'::text[], '' FROM n WHERE n < 50;
    INSERT INTO sessions (id, tenant_id, created_at)
      SELECT session, tenant, min(at) FROM n GROUP BY session, tenant ORDER BY min(at);
    INSERT INTO runs (id, tenant_id, session_id, kind, status, inputs, graph_version, created_at, finished_at)
      SELECT 'run_' || name, tenant, session, 'document',
        CASE WHEN n < ${OPEN_QUESTIONS} THEN 'waiting' WHEN n % 1000 = 999 THEN 'failed' ELSE 'completed' END, '{}', '1', at, at FROM n;
    INSERT INTO tasks (id, tenant_id, run_id, name, queue, node, checkpoint_id, interrupt_id, status, input, assignee, created_at)
      SELECT 'tsk_' || name, tenant, 'run_' || name, 'human_input', 'human-input', 'ask', 'c', 'i',
        CASE WHEN n < ${OPEN_QUESTIONS} THEN 'pending' WHEN n % 1000 = 999 THEN 'cancelled' ELSE 'completed' END, '{}',
        CASE WHEN n % 7 = 0 THEN 'reviewer' END, at FROM n;
    INSERT INTO exports (id, tenant_id, session_id, run_id, effect_key, name, format, object_key, size, sha256)
      SELECT 'exp_' || name, tenant, session, 'run_' || name, name, 'a.docx', 'docx', '', 1, '' FROM n;
    INSERT INTO named_checkpoints (session_id, id, tenant_id, run_id, label, manuscript_key, object_key, effect_key, validated)
      SELECT session, name, tenant, 'run_' || name, '', '', '', name, true FROM n;
    INSERT INTO session_files (id, tenant_id, session_id, folder, name, object_key, size, sha256, media_type)
      SELECT 'fil_' || name, tenant, session, 'inputs', name, '', 1, '', '' FROM n;
    INSERT INTO early_answers (id, tenant_id, run_id, decision_type, answer, answered_by)
      SELECT 'ans_' || name, tenant, 'run_' || name, 'question', '{}', '' FROM n;
    INSERT INTO audit_log (tenant_id, at, actor, action, resource, outcome) SELECT tenant, at, '', '', '', 'done' FROM n;
    ANALYZE`);
}
