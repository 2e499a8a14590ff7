import type { Database } from '#db/client.js';
import { TenantRepository } from '#db/repositories/tenants.js';
import { CollectionRepository } from '#knowledge/store/collections.js';
import type { CollectionVectors } from '#knowledge/vectors/vector-search.js';
import { dot } from '#knowledge/vectors/scan.js';

const DIMENSIONS = 16;
const MODEL = 'made-up';

/** Returns a unit vector that depends only on the seed. */
function vectorOf(seed: number): Float32Array {
  const values = Array.from(
    { length: DIMENSIONS },
    (_, at) => Math.sin((seed + 1) * 12.9898 + at * 78.233) * 43_758.5453,
  );
  const centred = values.map((value) => value - Math.floor(value) - 0.5);
  const length = Math.hypot(...centred);
  return Float32Array.from(centred, (value) => value / length);
}

/** Creates a collection with ten passages per source; the IDs of the passages contain their seeds. */
async function collectionOf(db: Database, tenantId: string, count: number): Promise<string> {
  const { id } = await new CollectionRepository(db).create(tenantId, { name: 'x', purpose: 'knowledge' });
  await db.$executeRaw`
    INSERT INTO knowledge_sources (id, tenant_id, collection_id, name, media_type, size, sha256, object_key)
    SELECT ${id} || '/' || n, ${tenantId}, ${id}, n::text, 'text/plain', 1, n::text, 'x' FROM generate_series(0, ${Math.ceil(count / 10) - 1}::int) n`;
  await db.$executeRaw`
    INSERT INTO knowledge_segments (tenant_id, collection_id, live, passages, stem_lengths, source_numbers, common_stems, stem_buckets, trigram_buckets)
    VALUES (${tenantId}, ${id}, true, ${count}, '', '', '', 0, 0)`;
  await addVectors(db, tenantId, id, 0, count);
  return id;
}

async function addVectors(
  db: Database,
  tenantId: string,
  id: string,
  from: number,
  count: number,
): Promise<void> {
  const seeds = Array.from({ length: count }, (_, at) => from + at);
  await db.$executeRaw`
    INSERT INTO knowledge_chunks (id, tenant_id, collection_id, source_id, start_at, end_at, kind, tokens, text, segment_id, ordinal)
    SELECT ${id} || ':' || n, ${tenantId}, ${id}, ${id} || '/' || n / 10, 0, 1, 'prose', 1, 'x',
      (SELECT max(s.id) FROM knowledge_segments s WHERE s.collection_id = ${id}), n FROM unnest(${seeds}::int[]) n`;
  const bytes = seeds.map((seed) => Buffer.from(vectorOf(seed).buffer));
  await db.$executeRaw`
    INSERT INTO knowledge_vectors (chunk_id, model, tenant_id, collection_id, source_number, dimensions, vector)
    SELECT ${id} || ':' || v.n, ${MODEL}, ${tenantId}, ${id}, s.number, ${DIMENSIONS}::int, v.bytes
    FROM unnest(${seeds}::int[], ${bytes}::bytea[]) v (n, bytes) JOIN knowledge_sources s ON s.id = ${id} || '/' || v.n / 10`;
}

const seedOf = (chunkId: string) => Number(chunkId.split(':')[1]);

/** A method of vector search on a separate database. */
export interface VectorSearch {
  db: Database;
  vectors: CollectionVectors;
  /** Indexes new vectors, like a worker. */
  index(collectionId: string): Promise<unknown>;
  stop(): Promise<void>;
}

/** Number of vectors in the searched collection. */
const COUNT = 600;

/** Expects ten hits of the collection, best first; returns how many belong to the ten nearest. */
function expectNearest(
  hits: readonly { chunkId: string; similarity: number }[],
  query: Float32Array,
  collectionId: string,
): number {
  const likenesses = Array.from({ length: COUNT }, (_, seed) => dot(vectorOf(seed), 0, query));
  const nearest = [...likenesses.keys()].sort((a, b) => likenesses[b]! - likenesses[a]!).slice(0, 10);
  expect(hits).toHaveLength(10);
  for (const [at, { chunkId, similarity }] of hits.entries()) {
    expect(chunkId.startsWith(`${collectionId}:`)).toBe(true);
    expect(similarity).toBeCloseTo(likenesses[seedOf(chunkId)]!, 2);
    if (at > 0) expect(similarity).toBeLessThanOrEqual(hits[at - 1]!.similarity);
  }
  return hits.filter(({ chunkId }) => nearest.includes(seedOf(chunkId))).length;
}

/**
 * Defines the tests that each method of vector search must pass.
 *
 * @param isIndexed true if vectors are found only after indexing
 */
export function describeVectorSearch(
  name: string,
  isIndexed: boolean,
  start: () => Promise<VectorSearch>,
): void {
  describe(`vectors by ${name}`, () => {
    let way: VectorSearch;
    let tenantId: string;
    let collectionId: string;

    beforeAll(async () => {
      way = await start();
      tenantId = await new TenantRepository(way.db).create('one');
      collectionId = await collectionOf(way.db, tenantId, COUNT);
      // The other tenant's vectors are identical: only their owner distinguishes them.
      const other = await new TenantRepository(way.db).create('other');
      await way.index(await collectionOf(way.db, other, 50));
    }, 120_000);
    afterAll(() => way.stop());

    const nearest = (seed: number, sources?: ReadonlySet<number>) =>
      way.vectors.nearest({ tenantId, collectionId, model: MODEL, vector: vectorOf(seed), limit: 10, ...(sources && { sources }) }); // prettier-ignore

    it('B14 serves vectors of before once they are indexed, and finds those that are nearest, best first', async () => {
      if (isIndexed) expect(await nearest(0)).toBeNull();
      await way.index(collectionId);
      let found = 0;
      for (let asked = 10_000; asked < 10_020; asked++) {
        const hits = (await nearest(asked))!;
        found += expectNearest(hits, vectorOf(asked), collectionId);
      }
      expect(found / 200).toBeGreaterThan(0.95);
    }); // prettier-ignore

    it('B15 finds what the filters allow and nothing else, also when that is little', async () => {
      const rows = await way.db.knowledgeSource.findMany({
        where: { collectionId, name: { in: ['3', '41'] } },
      });
      const hits = (await nearest(10_001, new Set(rows.map(({ number }) => number))))!;
      expect(hits).toHaveLength(10);
      expect(new Set(hits.map(({ chunkId }) => Math.floor(seedOf(chunkId) / 10)))).toEqual(new Set([3, 41]));
      expect(await nearest(10_001, new Set([-1]))).toEqual([]);
    });

    it('B14 finds new vectors when they are indexed, and no deleted ones', async () => {
      await way.db.$executeRaw`DELETE FROM knowledge_chunks WHERE id = ${`${collectionId}:5`}`;
      await way.db.$executeRaw`DELETE FROM knowledge_chunks WHERE id = ${`${collectionId}:7`}`;
      await addVectors(way.db, tenantId, collectionId, 7, 1);
      await way.index(collectionId);
      expect((await nearest(5))!.map(({ chunkId }) => seedOf(chunkId))).not.toContain(5);
      const [best] = (await nearest(7))!;
      expect(seedOf(best!.chunkId)).toBe(7);
      expect(best!.similarity).toBeCloseTo(1, 2);
    });
  });
}
