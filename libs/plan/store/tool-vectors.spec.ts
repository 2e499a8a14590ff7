import { createDatabase, type Database } from '#db/client.js';
import { TenantRepository } from '#db/repositories/tenants.js';
import { InstalledModels, EmbeddingUsage } from '#knowledge/vectors/embedding-models.js';
import { TextEmbedder } from '#knowledge/vectors/text-embedder.js';
import { SemanticUnavailableError } from '#knowledge/search/search.js';
import { startEmbeddingStub, type EmbeddingStub } from '#testing/embedding-stub.js';
import { createTestDatabase, type TestDatabase } from '#testing/postgres.js';
import { platformCatalogue } from '../tools/catalogue.js';
import { buildToolbox } from '../tools/toolbox.js';
import { ToolVectors } from './tool-vectors.js';

/** To this model, a ledger is a table, and all other words are meaningless. */
const vectorOf = (text: string) => [/ledger|parse csv/i.test(text) ? 1 : 0, 0.1];

describe('tools found by meaning', () => {
  let database: TestDatabase;
  let db: Database;
  let stub: EmbeddingStub;
  let tenant: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    db = createDatabase(database.url, 2);
  });
  beforeEach(async () => {
    stub = await startEmbeddingStub(vectorOf);
    tenant = await new TenantRepository(db).create('tools');
  });
  afterEach(() => stub.stop());
  afterAll(async () => {
    await db.$disconnect();
    await database.drop();
  });

  /** Returns the toolbox of a new process. */
  async function toolbox(tools = platformCatalogue, model = 'one') {
    const vectors = new ToolVectors(db, embedderOf(model));
    return buildToolbox(tools, undefined, await vectors.comparing(tenant, tools));
  }

  const embedderOf = (model: string | null) =>
    new TextEmbedder(
      db,
      new InstalledModels(model === null ? null : { model, baseUrl: stub.baseUrl, retryDelayMs: 1 }),
      new EmbeddingUsage(db),
    );

  it('P7 finds a tool that shares no word with the request', async () => {
    const { index, similarities } = await toolbox();
    expect(index.search('the ledger', 5)).toEqual([]);
    expect(index.search('the ledger', 5, await similarities!('the ledger'))[0]).toMatchObject({
      name: 'parse_csv',
      text: 0,
      meaning: 1,
    });
  });

  it('P7 embeds each text of a tool once per model, and meters it', async () => {
    await (
      await toolbox()
    ).similarities!('first');
    expect(stub.embedded).toHaveLength(platformCatalogue.length + 1);
    await (
      await toolbox()
    ).similarities!('second');
    expect(stub.embedded.slice(platformCatalogue.length + 1)).toEqual(['second']);
    await (
      await toolbox(platformCatalogue, 'other')
    ).similarities!('third');
    expect(stub.embedded).toHaveLength(2 * platformCatalogue.length + 3);
    const calls = await db.modelCall.findMany({ where: { tenantId: tenant } });
    expect(calls.reduce((sum, { inputTokens }) => sum + inputTokens, 0)).toBe(10 * stub.embedded.length);
  });

  it('P7 embeds a changed tool again and deletes the vector of its old text', async () => {
    await (
      await toolbox()
    ).similarities!('first');
    const before = stub.embedded.length;
    const [first, ...rest] = platformCatalogue;
    await (
      await toolbox([{ ...first!, description: 'A new description' }, ...rest])
    ).similarities!('again');
    expect(stub.embedded.slice(before)).toEqual(['again', expect.stringContaining('A new description')]);
    const kept = await db.toolVector.count({ where: { tenantId: tenant } });
    expect(kept).toBe(platformCatalogue.length);
  });

  it('P7 returns null if the embedding server fails, and continues with the tools that lack a vector', async () => {
    stub.failures.push(400);
    await expect((await toolbox()).similarities!('refused')).resolves.toBeNull();
    expect(stub.embedded).toEqual([]);
    await expect((await toolbox()).similarities!('ledger')).resolves.toBeInstanceOf(Map);
  });

  it('P7 keeps the vectors that were computed before a failure', async () => {
    let calls = 0;
    const texts = embedderOf('one');
    const dies = {
      isConfigured: () => Promise.resolve(true),
      current: (id: string) => texts.current(id),
      embed: (...given: Parameters<TextEmbedder['embed']>) =>
        ++calls > 2 ? Promise.reject(new SemanticUnavailableError('down')) : texts.embed(...given),
    };
    const similarities = await new ToolVectors(db, dies).comparing(tenant, platformCatalogue);
    await expect(similarities!('first')).resolves.toBeNull();
    const stored = await db.toolVector.count({ where: { tenantId: tenant } });
    expect(stored).toBeGreaterThan(0);
    await (
      await toolbox()
    ).similarities!('second');
    expect(stub.embedded).toHaveLength(platformCatalogue.length + 2);
  });

  it('P7 returns null if the budget of the tenant is used up', async () => {
    await db.tenant.updateMany({ where: { id: tenant }, data: { maxMonthlyTokens: 1n } });
    await expect((await toolbox()).similarities!('more than one token')).resolves.toBeNull();
    expect(stub.embedded).toEqual([]);
  });

  it('P7 compares nothing without an embedding model', async () => {
    const vectors = new ToolVectors(db, embedderOf(null));
    await expect(vectors.comparing(tenant, platformCatalogue)).resolves.toBeUndefined();
  });
});
