import { loadSettings, toolsSettings } from '#config/settings.js';
import { MAX_MCP_SERVERS } from '../contract/mcp-schemas.js';
import { newId } from '#contracts/ids.js';
import { createDatabase, type Database } from '#db/client.js';
import { McpServerRepository } from '../store/mcp-servers.js';
import { TenantRepository } from '#db/repositories/tenants.js';
import { NotificationListener } from '#engine/events/listener.js';
import { SecretSeal, sealSecrets } from '#egress/secret-seal.js';
import { createLogger } from '#telemetry/logger.js';
import { says, startMcpServer, type ServedTool, type TestMcpServer } from '#testing/mcp-server.js';
import { createTestDatabase, type TestDatabase } from '#testing/postgres.js';
import { until } from '#testing/until.js';
import { McpDiscovery } from './discovery.js';
import { McpServers } from './mcp-servers.service.js';

const tool: ServedTool = { name: 'tell', description: 'Tells something', run: () => says('fine') };

describe('discovery of the tools of MCP servers', () => {
  let database: TestDatabase;
  let db: Database;
  let rows: McpServerRepository;
  let tenants: TenantRepository;
  let discovery: McpDiscovery;
  let listener: NotificationListener;
  const running: TestMcpServer[] = [];

  beforeAll(async () => {
    database = await createTestDatabase();
    db = createDatabase(database.url, 2);
    rows = new McpServerRepository(db);
    tenants = new TenantRepository(db);
    listener = new NotificationListener(database.url);
  });
  afterAll(async () => {
    await Promise.all(running.map((one) => one.stop()));
    await listener.stop();
    await db.$disconnect();
    await database.drop();
  });

  beforeEach(() => {
    const settings = loadSettings(toolsSettings, {
      DATABASE_URL: database.url,
      STORAGE_DIR: '/nowhere',
      EGRESS_ALLOW_PRIVATE: 'true',
    });
    const servers = new McpServers(settings, new McpServerRepository(db));
    discovery = new McpDiscovery(servers, createLogger('spec', { level: 'silent' }), listener);
  });
  afterEach(() => discovery.onApplicationShutdown());

  const serve = async (served = [tool]) => {
    running.push(await startMcpServer(served));
    return running.at(-1)!;
  };
  const register = async (tenantId: string, url: string, sideEffects: string[] | null = null) => {
    const id = newId('mcp');
    const secrets = sealSecrets(new SecretSeal(undefined, 'mcp'), id, { headers: {} });
    const row = { id, name: id, url, command: null, headerNames: [], oauth: null, secrets };
    await rows.create(tenantId, { ...row, allowedTools: null, sideEffects });
    return id;
  };
  /** The server, once a worker has looked at it. */
  const discovered = async (tenantId: string, id: string) => {
    await discovery.startDue();
    const find = async () => (await rows.find(tenantId, id))!;
    return until('the server was looked at', find, ({ status }) => status !== 'discovering');
  };
  const statuses = async (tenantId: string) => (await rows.list(tenantId)).map(({ status }) => status);

  it('starts when a server is registered or refreshed', async () => {
    const served = await serve();
    const tenantId = await tenants.create('notified');
    await discovery.onApplicationBootstrap();
    const id = await register(tenantId, served.url);
    const find = async () => (await rows.find(tenantId, id))!;
    const isDiscovered = ({ status }: { status: string }) => status !== 'discovering';
    await until('the new server to be discovered', find, isDiscovered);
    await rows.refresh(tenantId, id);
    await until('the refreshed server to be discovered', find, isDiscovered);
  });

  it('reserves slots for other tenants while twenty servers of one tenant hang', async () => {
    const [hanging, quick] = [await serve(), await serve()];
    hanging.intercept = () => true;
    const [slow, other] = [await tenants.create('slow'), await tenants.create('other')];
    for (let n = 0; n < MAX_MCP_SERVERS; n++) await register(slow, hanging.url);
    await discovery.startDue();
    await until('a server of the slow tenant is asked', () => hanging.requests.length > 0);
    await register(other, quick.url);
    await discovery.startDue();
    await until(
      'the other tenant’s tools are found',
      () => statuses(other),
      ([status]) => status === 'ready',
    );
    expect(await statuses(slow)).toEqual(Array.from({ length: MAX_MCP_SERVERS }, () => 'discovering'));
    expect(hanging.requests.length).toBeLessThan(MAX_MCP_SERVERS);
  });

  it('finds the tools of a new server before it refreshes those of the same tenant', async () => {
    const [hanging, quick] = [await serve(), await serve()];
    hanging.intercept = () => true;
    const tenantId = await tenants.create('one');
    for (let n = 1; n < MAX_MCP_SERVERS; n++)
      await rows.failed(tenantId, await register(tenantId, hanging.url), 'timeout');
    await db.mcpServer.updateMany({ where: { tenantId }, data: { dueAt: new Date(0) } });
    const added = await register(tenantId, quick.url);
    expect((await discovered(tenantId, added)).status).toBe('ready');
    expect((await statuses(tenantId)).filter((status) => status === 'failed')).toHaveLength(19);
  });

  it('P12 initially approves only tools without side effects, according to the tenant', async () => {
    const served = ['look', 'remove'].map((name) => ({ ...tool, name }));
    const { url } = await serve(served);
    const tenantId = await tenants.create('one');
    const approvedOf = async (sideEffects: string[] | null) => {
      const { tools } = await discovered(tenantId, await register(tenantId, url, sideEffects));
      return tools.filter(({ approvedHash }) => approvedHash !== null).map(({ name }) => name);
    };
    expect(await approvedOf(null)).toEqual([]);
    expect(await approvedOf(['remove'])).toEqual(['look']);
    expect(await approvedOf([])).toEqual(['look', 'remove']);
  });

  it('P12 skips tools with an invalid description, lists them, and keeps the others', async () => {
    const server = await serve();
    const good = { name: 'good', inputSchema: { type: 'object' } };
    let tools: unknown[] = [];
    const answer = (id: unknown) => ({
      jsonrpc: '2.0',
      id,
      result: { resultType: 'complete', ttlMs: 0, cacheScope: 'private', tools },
    });
    server.intercept = (_, response, body) => {
      const { id, method } = JSON.parse(body) as { id: unknown; method: string };
      if (method !== 'tools/list') return false;
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer(id)));
      return true;
    };
    tools = [
      { name: 'text', inputSchema: { type: 'string' } },
      { name: 'no schema' },
      { name: 'properties', inputSchema: { type: 'object', properties: 5 } },
      {
        name: 'property',
        inputSchema: { type: 'object', properties: { a: { items: { properties: { b: null } } } } },
      },
      {
        name: 'deep',
        inputSchema: { type: 'object', x: JSON.parse('['.repeat(100) + ']'.repeat(100)) as unknown },
      },
      { inputSchema: { type: 'object' } },
      { name: 'turned \u202e', inputSchema: { type: 'object' } },
      { name: 'large', inputSchema: { type: 'object', description: 'x'.repeat(70_000) } },
      'nothing',
      good,
    ];
    const tenantId = await tenants.create('one');
    const id = await register(tenantId, server.url, []);
    const row = await discovered(tenantId, id);
    expect([row.status, row.tools.map(({ name }) => name)]).toEqual(['ready', ['good']]);
    expect(row.skippedTools).toEqual([
      'text',
      'no schema',
      'properties',
      'property',
      'deep',
      '#6',
      'turned',
      'large',
      '#9',
    ]);
    tools = [good];
    await rows.refresh(tenantId, id);
    expect((await discovered(tenantId, id)).skippedTools).toEqual([]);
  });
});
