import { loadSettings, toolsSettings } from '#config/settings.js';
import { newId } from '#contracts/ids.js';
import { createDatabase, type Database } from '#db/client.js';
import { TenantRepository } from '#db/repositories/tenants.js';
import { SecretSeal, sealSecrets } from '#egress/secret-seal.js';
import { says, startMcpServer, type TestMcpServer } from '#testing/mcp-server.js';
import { MemoryStore } from '#testing/memory-store.js';
import { createTestDatabase, type TestDatabase } from '#testing/postgres.js';
import { until } from '#testing/until.js';
import { McpServerRepository } from '../store/mcp-servers.js';
import { hashOf, serverToolSchema } from '../tools/mcp/server-tool.js';
import { McpServers } from '../mcp/mcp-servers.service.js';
import { RunToolHandler } from './run-tool.handler.js';

const SECRET = 'a secret of the spec, long enough';

describe('a tool of an MCP server whose worker died in the call', () => {
  let database: TestDatabase;
  let db: Database;
  let server: TestMcpServer;
  let handler: RunToolHandler;
  let tenantId: string;
  let sessionId: string;
  let runId: string;
  /** Sends a call to the server, which answers none before `open`. */
  let calls = 0;
  let open = () => undefined as void;
  const opened = new Promise<void>((resolve) => (open = resolve));
  const described = serverToolSchema.parse({ name: 'pay', input: { type: 'object' }, output: null });

  beforeAll(async () => {
    database = await createTestDatabase();
    db = createDatabase(database.url, 3);
    const env = { DATABASE_URL: database.url, STORAGE_DIR: '/nowhere', TOKEN_SECRET: SECRET };
    const settings = loadSettings(toolsSettings, { ...env, EGRESS_ALLOW_PRIVATE: 'true' });
    const pay = async () => {
      calls += 1;
      await opened;
      return says('paid');
    };
    server = await startMcpServer([{ name: 'pay', description: 'Pays', run: pay }]);
    const none = undefined as never;
    const servers = new McpServers(settings, new McpServerRepository(db));
    handler = new RunToolHandler(new MemoryStore(), none, none, servers, { db } as never);
    tenantId = await new TenantRepository(db).create('tenant');
    const session = await db.session.create({ data: { id: newId('ses'), tenantId } });
    sessionId = session.id;
    runId = newId('run');
    const run = { id: runId, tenantId, sessionId, kind: 'plan', status: 'waiting', inputs: {} };
    await db.run.create({ data: { ...run, graphVersion: '1' } });
  });
  beforeEach(() => (calls = 0));
  afterAll(async () => {
    open();
    await server.stop();
    await db.$disconnect();
    await database.drop();
  });

  /** A task that calls the tool of a new server. */
  async function taskOf(sideEffects: string[] | null, isIdempotent: boolean) {
    const [id, name, taskId] = [newId('mcp'), newId('mcp').replace('_', '-'), newId('tsk')];
    const secrets = sealSecrets(new SecretSeal(SECRET, 'mcp'), id, { headers: {} });
    const row = { id, name, url: server.url, command: null, headerNames: [], oauth: null, secrets };
    const { rows } = handler['servers'];
    await rows.create(tenantId, { ...row, allowedTools: null, sideEffects });
    const tools = [
      { name: 'pay', description: described, hash: hashOf(described), isIdempotent, isOpenWorld: true },
    ];
    await rows.discovered(tenantId, id, { protocol: '2026-07-28', tools, skipped: [] });
    await rows.approve(tenantId, id, ['pay']);
    const input = {
      session_id: sessionId,
      plan_task: 'pay',
      tool: `${name}/pay`,
      arguments: {},
      results: {},
    };
    const place = { node: 'run_task', checkpointId: 'c', interruptId: taskId, status: 'pending', input };
    await db.task.create({
      data: { id: taskId, tenantId, runId, name: 'run_tool', queue: 'tools', ...place },
    });
    const signal = new AbortController().signal;
    return () => handler.handle(input, { taskId, runId, tenantId, sessionId, signal });
  }

  it('is not called again: its outcome is unknown', async () => {
    const attempt = await taskOf(null, false);
    const first = attempt().catch(() => undefined);
    await until('the server is called', () => calls > 0);
    await expect(attempt()).rejects.toMatchObject({ name: 'TaskFailure', code: 'outcome_unknown' });
    expect(calls).toBe(1);
    open();
    await first;
  });

  it.each([
    ['says that it is idempotent', null, true],
    ['has no side effects', [], false],
  ])('is called again when it %s', async (_, sideEffects, isIdempotent) => {
    const attempt = await taskOf(sideEffects, isIdempotent);
    const attempts = [attempt(), attempt()];
    expect(await Promise.all(attempts)).toMatchObject([{ result: { text: 'paid' } }, {}]);
    expect(calls).toBe(2);
  });

  it('has an unknown outcome if the connection broke, and a known one if there was none', async () => {
    const attempt = await taskOf(null, false);
    server.intercept = (_, response, body) => body.includes('"tools/call"') && Boolean(response.destroy());
    await expect(attempt()).rejects.toMatchObject({ code: 'outcome_unknown' });
    const unsent = await taskOf(null, false);
    server.intercept = (_, response) => Boolean(response.destroy());
    await expect(unsent()).rejects.toMatchObject({ code: expect.stringMatching(/^server_/) });
  });
});
