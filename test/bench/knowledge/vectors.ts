import type { Database } from '#db/client.js';
import { hasPgvector } from '#testing/pgvector.js';
import { search, type SemanticSearch } from '#knowledge/search/search.js';
import { type CollectionVectors, ExactVectors, PgVectors } from '#knowledge/vectors/vector-search.js';
import { PgVectorIndex } from '#knowledge/vectors/pg-vector-index.js';
import { createHash } from 'node:crypto';
import { randomOf } from './texts.js';

const MODEL = 'made-up';
/** As many as all-MiniLM-L6-v2 has. */
const DIMENSIONS = 384;
const BATCH = 1_000;
const CACHE_BYTES = 512 * 2 ** 20;

/** A unit vector that is the same for the same text. */
function vectorOf(text: string): Float32Array {
  const random = randomOf(createHash('md5').update(text).digest().readInt32LE());
  const values = Float32Array.from({ length: DIMENSIONS }, () => random() - 0.5);
  const length = Math.hypot(...values);
  return values.map((value) => value / length);
}

/** Gives every passage of a collection without a vector one, and puts the vectors into service. */
export async function addVectors(db: Database, tenantId: string, collectionId: string): Promise<void> {
  const without = await db.$queryRaw<{ id: string }[]>`
    SELECT c.id FROM knowledge_chunks c WHERE c.collection_id = ${collectionId}
      AND NOT EXISTS (SELECT 1 FROM knowledge_vectors v WHERE v.chunk_id = c.id)`;
  for (let at = 0; at < without.length; at += BATCH) {
    const ids = without.slice(at, at + BATCH).map(({ id }) => id);
    const bytes = ids.map((id) => Buffer.from(vectorOf(id).buffer));
    await db.$executeRaw`
      INSERT INTO knowledge_vectors (chunk_id, model, tenant_id, collection_id, source_number, dimensions, vector)
      SELECT v.id, ${MODEL}, ${tenantId}, ${collectionId}, s.number, ${DIMENSIONS}::int, v.bytes
      FROM unnest(${ids}::text[], ${bytes}::bytea[]) v (id, bytes)
      JOIN knowledge_chunks c ON c.id = v.id JOIN knowledge_sources s ON s.id = c.source_id`;
  }
  await db.knowledgeCollection.update({ where: { id: collectionId }, data: { vectorModel: MODEL } });
}

/** Searches by vectors, with queries embedded in memory: the time of an embedding endpoint is not counted. */
export async function semanticContenders(db: Database, tenantId: string, collectionId: string, k: number) {
  const exact = new ExactVectors(db, CACHE_BYTES);
  const run =
    (vectors: CollectionVectors, mode: 'semantic' | 'hybrid') =>
    (query: string): Promise<unknown> =>
      search(
        db,
        tenantId,
        { collections: [collectionId], query, k, mode },
        semanticOver(vectors, collectionId),
      );
  const contenders: Record<string, (query: string) => Promise<unknown>> = {
    semanticExact: run(exact, 'semantic'),
    hybrid: run(exact, 'hybrid'),
  };
  if (hasPgvector) {
    await new PgVectorIndex(db).fill(collectionId);
    contenders['semanticPgvector'] = run(new PgVectors(db, 0), 'semantic');
  } else console.log('semantic by pgvector: not measured, SCRIPTORIUM_TEST_PGVECTOR names no installation');
  return { contenders, close: () => exact.close() };
}

const semanticOver = (vectors: CollectionVectors, collectionId: string): SemanticSearch => ({
  isConfigured: () => Promise.resolve(true),
  nearest: async (tenantId, _, query, limit) =>
    (await vectors.nearest({ tenantId, collectionId, model: MODEL, vector: vectorOf(query), limit })) ?? [],
});
