import { loadSettings, scannerSettings } from '#config/settings.js';
import type { Database } from '#db/client.js';
import { TenantRepository } from '#db/repositories/tenants.js';
import { ModelEndpoints } from '#kit/model/model-endpoints.js';
import { DataBed } from '#testing/data-bed.js';
import { startEmbeddingStub, type EmbeddingStub } from '#testing/embedding-stub.js';
import { putText } from '../knowledge.js';
import { search } from '../search/search.js';
import { CollectionRepository } from '../store/collections.js';
import { embeddingModels, EmbeddingUsage } from './embedding-models.js';
import { StoredEmbedder } from './stored-embedder.js';
import { VectorSearch } from './vector-search.js';

const WORKER = new URL('../../../dist/libs/knowledge/vectors/scan.worker.js', import.meta.url);

describe('B23 the embedding model of a tenant', () => {
  let bed: DataBed;
  let db: Database;
  let installation: EmbeddingStub;
  let own: EmbeddingStub;
  let tenantId: string;
  let collectionId: string;
  const searches: VectorSearch[] = [];

  beforeAll(async () => {
    bed = await DataBed.open();
    ({ db } = bed);
    installation = await startEmbeddingStub((text) => [/ship|boat/i.test(text) ? 1 : 0, 0.1]);
    // Vector of the same length, with another meaning of its dimensions.
    own = await startEmbeddingStub((text) => [0.1, /ship|boat/i.test(text) ? 1 : 0]);
  });
  afterAll(async () => {
    for (const one of searches) await one.close();
    installation.stop();
    own.stop();
    await bed.close();
  });
  beforeEach(async () => {
    for (const { asked } of [installation, own]) asked.length = 0;
    tenantId = await new TenantRepository(db).create('a tenant');
    const made = { name: 'x', purpose: 'knowledge' as const };
    ({ id: collectionId } = await new CollectionRepository(db).create(tenantId, made));
  });

  const settings = (env: NodeJS.ProcessEnv = { OPENAI_EMBED_MODEL: 'vectors' }) =>
    loadSettings(scannerSettings, {
      DATABASE_URL: 'postgres://127.0.0.1/none',
      STORAGE_DIR: '.',
      OPENAI_EMBED_BASE_URL: installation.baseUrl,
      EGRESS_ALLOW_PRIVATE: 'true',
      ...env,
    });
  const rows = () => new ModelEndpoints(db, settings()).rows;
  const set = (embeddingModel: string | null, baseUrl = own.baseUrl) =>
    rows().save(tenantId, {
      baseUrl,
      apiKey: null,
      model: 'writer',
      fastModel: null,
      embeddingModel,
      contextTokens: null,
      prices: { vectors: { input: 2_000_000_000_000, output: 0 } },
    });
  const put = (name: string, text: string) => {
    const embedder = new StoredEmbedder(db, embeddingModels(db, settings()), new EmbeddingUsage(db));
    return putText({ db, store: bed.store, embedder }, tenantId, collectionId, { name, text });
  };
  const find = async (env?: NodeJS.ProcessEnv) => {
    const models = embeddingModels(db, settings(env));
    const semantic = new VectorSearch(db, models, new EmbeddingUsage(db), 2 ** 20, WORKER);
    searches.push(semantic);
    return search(db, tenantId, { collections: [collectionId], query: 'ship', mode: 'semantic' }, semantic);
  };
  const vectorModel = async () =>
    (await new CollectionRepository(db).require(tenantId, collectionId)).vectorModel;
  const requests = () => [installation.asked.length, own.asked.length];

  it('is the model of its endpoint, if set, otherwise the installation’s', async () => {
    await set(null);
    await put('a', 'The boat left at noon.');
    expect([await vectorModel(), ...requests()]).toEqual(['vectors', 1, 0]);
    await set('vectors');
    await put('a', 'The boat left at one.');
    expect(requests()).toEqual([1, 1]);
    expect(own.asked[0]).toEqual({ model: 'vectors', key: 'Bearer none' });
    const [, paid] = await db.modelCall.findMany({ where: { tenantId }, orderBy: { createdAt: 'asc' } });
    expect([paid!.model, Number(paid!.cost)]).toEqual(['vectors', 20_000_000]);
  });

  it('never compares vectors of two servers, even for the same model name: old vectors are used until reindexed', async () => {
    await put('a', 'The boat left at noon.');
    await put('b', 'A loaf lay on the table.');
    await set('vectors');
    expect((await find()).hits[0]!.source_name).toBe('a');
    expect(requests()).toEqual([3, 0]);
    await db.$executeRaw`UPDATE knowledge_sources SET state = 'queued' WHERE tenant_id = ${tenantId}`;
    await put('a', 'The boat left at noon.');
    expect(await vectorModel()).toBe('vectors');
    await put('b', 'A loaf lay on the table.');
    expect(await vectorModel()).toMatch(/^vectors \(endpoint [0-9a-f]{8}\)$/);
    const { hits, degraded } = await find();
    expect([hits[0]!.source_name, hits[0]!.parts.vectors!.score > 0.9, degraded]).toEqual(['a', true, []]);
    expect(requests()).toEqual([3, 3]);
  });

  it('reports that search by meaning is unavailable after its server was replaced or removed, until reindexed', async () => {
    await set('vectors');
    await put('a', 'The boat left at noon.');
    await set('vectors', `${own.baseUrl}/v2`);
    expect((await find()).degraded).toEqual(['semantic']);
    await rows().remove(tenantId);
    expect((await find()).degraded).toEqual(['semantic']);
    await expect(find({})).rejects.toMatchObject({ code: 'no_embeddings' });
    expect(requests()).toEqual([0, 1]);
  });

  it('embeds queries with an older model of the same endpoint until the new vectors are complete', async () => {
    await set('older');
    await put('a', 'The boat left at noon.');
    await set('newer');
    expect((await find()).hits).toHaveLength(1);
    expect(own.asked.map(({ model }) => model)).toEqual(['older', 'older']);
  });
});
