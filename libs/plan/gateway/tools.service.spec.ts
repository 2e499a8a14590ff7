import type { GatewaySettings } from '#config/settings.js';
import { createDatabase, type Database } from '#db/client.js';
import { TenantRepository } from '#db/repositories/tenants.js';
import { startEmbeddingStub, type EmbeddingStub } from '#testing/embedding-stub.js';
import { createTestDatabase, type TestDatabase } from '#testing/postgres.js';
import { McpServerRepository } from '../store/mcp-servers.js';
import { ToolGraphRepository } from '../store/tool-graph.js';
import { ToolsService } from './tools.service.js';

describe('the search for tools over HTTP', () => {
  let database: TestDatabase;
  let db: Database;
  let stub: EmbeddingStub;
  let tenant: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    db = createDatabase(database.url, 2);
    tenant = await new TenantRepository(db).create('tools');
    stub = await startEmbeddingStub((text) => [/ledger|parse csv/i.test(text) ? 1 : 0, 0.1]);
  });
  afterAll(async () => {
    stub.stop();
    await db.$disconnect();
    await database.drop();
  });

  const serviceWith = (settings: object) =>
    new ToolsService(
      db,
      { MODEL_PRICES: {}, ...settings } as GatewaySettings,
      new ToolGraphRepository(db),
      new McpServerRepository(db),
    );
  const names = ({ items }: { items: { name: string }[] }) => items.map(({ name }) => name);

  it('P7 finds tools by meaning, and reports if only words were used', async () => {
    const service = serviceWith({ OPENAI_EMBED_MODEL: 'one', OPENAI_EMBED_BASE_URL: stub.baseUrl });
    const found = await service.list(tenant, 'the ledger', 1);
    expect([names(found), found.degraded]).toEqual([['parse_csv'], []]);
    stub.failures.push(400);
    const byWords = await service.list(tenant, 'spreadsheet of the ledger', 1);
    expect([names(byWords), byWords.degraded]).toEqual([['read_table'], ['semantic']]);
  });

  it('P7 sends no request to an embedding server without a query or a configured server', async () => {
    const before = stub.embedded.length;
    const all = await serviceWith({
      OPENAI_EMBED_MODEL: 'one',
      OPENAI_EMBED_BASE_URL: stub.baseUrl,
    }).list(tenant, undefined, 100);
    const byWords = await serviceWith({}).list(tenant, 'spreadsheet', 1);
    expect([all.degraded, byWords.degraded, names(byWords)]).toEqual([[], [], ['read_table']]);
    expect(stub.embedded).toHaveLength(before);
  });
});
