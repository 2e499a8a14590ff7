import type { Database } from '#db/client.js';
import { TenantRepository } from '#db/repositories/tenants.js';
import { startEmbeddingStub, type EmbeddingStub } from '#testing/embedding-stub.js';
import { DataBed } from '#testing/data-bed.js';
import fc from 'fast-check';
import { putText } from '../knowledge.js';
import { search } from '../search/search.js';
import { CollectionRepository } from '../store/collections.js';
import { wordsOf } from '../text/words.js';
import { InstalledModels, EmbeddingUsage } from './embedding-models.js';
import { scanVectors } from './scan.js';
import { StoredEmbedder } from './stored-embedder.js';
import { VectorSearch } from './vector-search.js';

const WORKER = new URL('../../../dist/libs/knowledge/vectors/scan.worker.js', import.meta.url);
/** Made-up meaning: words of one topic point into one direction. */
const TOPICS = [
  ['ship', 'boat', 'vessel'],
  ['bread', 'loaf', 'bun'],
  ['law', 'statute', 'act'],
];
const vectorOf = (text: string) => [
  ...TOPICS.map((topic) => wordsOf(text).filter((word) => topic.includes(word)).length),
  0.1,
];

describe('vectors', () => {
  let bed: DataBed;
  let db: Database;
  let stub: EmbeddingStub;
  let tenantId: string;
  let collectionId: string;
  const searches: VectorSearch[] = [];

  beforeAll(async () => {
    bed = await DataBed.open();
    ({ db } = bed);
    stub = await startEmbeddingStub(vectorOf);
  });
  afterAll(async () => {
    for (const one of searches) await one.close();
    stub.stop();
    await bed.close();
  });
  beforeEach(async () => {
    stub.embedded.length = 0;
    stub.failures.length = 0;
    tenantId = await new TenantRepository(db).create('a tenant');
    ({ id: collectionId } = await new CollectionRepository(db).create(tenantId, {
      name: 'x',
      purpose: 'knowledge',
    }));
  });

  const models = (model: string) => new InstalledModels({ model, baseUrl: stub.baseUrl, retryDelayMs: 1 });
  const put = (name: string, text: string, model = 'one') => {
    const embedder = new StoredEmbedder(db, models(model), new EmbeddingUsage(db));
    return putText({ db, store: bed.store, embedder }, tenantId, collectionId, {
      name,
      text,
    });
  };
  const semantic = (model = 'one') => {
    const made = new VectorSearch(db, models(model), new EmbeddingUsage(db), 2 ** 20, WORKER);
    searches.push(made);
    return made;
  };
  const find = (query: string, with_ = semantic(), mode: 'hybrid' | 'semantic' = 'hybrid') =>
    search(db, tenantId, { collections: [collectionId], query, mode }, with_);

  it('B14 finds by meaning a passage without any word of the query, and records the tokens', async () => {
    await put('a', 'The boat left at noon.');
    await put('b', 'A loaf lay on the table.');
    const { hits, degraded } = await find('vessel', semantic(), 'semantic');
    expect([hits[0]!.source_name, hits[0]!.parts.vectors!.rank, degraded]).toEqual(['a', 1, []]);
    expect(hits[0]!.parts.vectors!.score).toBeGreaterThan(0.9);
    const calls = await db.modelCall.findMany({ where: { tenantId } });
    expect(calls.map(({ runId, inputTokens }) => [runId, inputTokens])).toEqual([
      [null, 10],
      [null, 10],
      [null, 10],
    ]);
  });

  it('B14 embeds only the changed passages', async () => {
    const part = (word: string) => `${Array.from({ length: 380 }, () => word).join(' ')}.\n\n`;
    await put('doc', part('ship') + part('bread') + part('law'));
    const first = stub.embedded.splice(0).length;
    await put('doc', part('ship') + part('loaf') + part('law'));
    expect([first, stub.embedded.length]).toEqual([3, 1]);
    expect(stub.embedded[0]).toContain('loaf');
  });

  it('B14 retries on 429 and 5xx, searches by words while the server is down, and respects budgets', async () => {
    stub.failures.push(429, 503);
    await put('a', 'The boat left at noon.');
    stub.failures.push(500, 500, 500, 500, 500, 500);
    const down = await find('boat');
    expect([down.degraded, down.hits[0]!.source_name]).toEqual([['semantic'], 'a']);
    stub.failures.length = 0;
    expect((await find('boat')).degraded).toEqual([]);
    await db.tenant.updateMany({ where: { id: tenantId }, data: { maxMonthlyTokens: 5n } });
    expect((await find('boat')).degraded).toEqual(['semantic']);
    await expect(put('b', 'Another boat.')).rejects.toThrow(/budget/);
  });

  it('B14 uses the old vectors until the vectors of a new model are complete', async () => {
    await put('a', 'The boat left at noon.');
    await put('b', 'A vessel came.');
    const modelOf = async () =>
      (await new CollectionRepository(db).require(tenantId, collectionId)).vectorModel;
    await db.$executeRaw`UPDATE knowledge_sources SET state = 'queued' WHERE tenant_id = ${tenantId}`;
    await put('a', 'The boat left at noon.', 'two');
    expect(await modelOf()).toBe('one');
    expect((await find('ship', semantic('two'), 'semantic')).hits).toHaveLength(2);
    await put('b', 'A vessel came.', 'two');
    expect(await modelOf()).toBe('two');
    expect(await db.knowledgeVector.count({ where: { collectionId, model: 'one' } })).toBe(0);
    expect((await find('ship', semantic('two'), 'semantic')).hits).toHaveLength(2);
  });

  it('B14 scans exactly: the best hits equal those by plain dot products', () => {
    const unit = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 6, maxLength: 6 });
    fc.assert(
      fc.property(fc.array(unit, { minLength: 1, maxLength: 40 }), unit, (rows, query) => {
        const values = new SharedArrayBuffer(rows.length * 24);
        new Float32Array(values).set(rows.flat());
        const sources = new SharedArrayBuffer(rows.length * 4);
        const matrix = { count: rows.length, dimensions: 6, values, sources };
        const asked = Float32Array.from(query);
        const hits = scanVectors({ matrix, query: asked, limit: 5 });
        const plain = rows.map((row) =>
          Float32Array.from(row).reduce((sum, value, at) => sum + value * asked[at]!, 0),
        );
        const best = [...plain].sort((a, b) => b - a).slice(0, 5);
        hits.forEach(({ place, similarity }, at) => {
          expect(similarity).toBeCloseTo(plain[place]!, 5);
          expect(similarity).toBeCloseTo(best[at]!, 5);
        });
        expect(hits).toHaveLength(Math.min(5, rows.length));
      }),
    );
  });

  it('B14 rejects vectors with another dimension than the first', async () => {
    const { embedder } = (await models('one').current())!;
    await embedder.embed(['ship']);
    TOPICS.push(['dog']);
    await expect(embedder.embed(['ship'])).rejects.toMatchObject({ code: 'model_rejected' });
    TOPICS.pop();
  });
});
