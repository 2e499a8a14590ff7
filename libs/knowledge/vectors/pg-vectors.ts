import { Prisma, type Database } from '#db/client.js';
import type { NearPassage } from '../search/search.js';
import type { CollectionVectors, VectorQuery } from './collection-vectors.js';
import { halfvecText, MAX_DIMENSIONS } from './pg-vector-index.js';

/**
 * Minimum number of passages for a search by index. Below it, an exact scan takes milliseconds and misses
 * nothing.
 */
const SMALLEST = 5_000;
/** Minimum number of vectors that HNSW considers; it continues if too many belong to other collections. */
const CANDIDATES = Prisma.raw('200');
/** Interval in ms at which a database without pgvector is checked again. */
const ASK_AGAIN_MS = 60_000;

/**
 * Finds vectors with pgvector's HNSW index, if the database has the extension and the collection is
 * completely indexed.
 */
export class PgVectors implements CollectionVectors {
  private isThere = false;
  private askedAt = -Infinity;

  /** @param smallest minimum number of passages of a collection for a search by index */
  constructor(
    private readonly db: Database,
    private readonly smallest = SMALLEST,
  ) {}

  async nearest(query: VectorQuery): Promise<NearPassage[] | null> {
    if (!(await this.isAvailable()) || !(await this.isIndexed(query))) return null;
    const { tenantId, collectionId, model, vector, limit, sources } = query;
    const size = Prisma.raw(String(vector.length));
    const within = sources ? Prisma.sql`AND source_number = ANY(${[...sources]}::int[])` : Prisma.empty;
    return this.db.$snapshot(async (send) => {
      await send(Prisma.sql`SET LOCAL hnsw.ef_search = ${CANDIDATES}`);
      await send(Prisma.sql`SET LOCAL hnsw.iterative_scan = strict_order`);
      return send<NearPassage>(Prisma.sql`
        /* nearest by pgvector */ SELECT id AS "chunkId", 1 - distance AS similarity FROM (
          SELECT chunk_id AS id, embedding::halfvec(${size}) <=> ${halfvecText(vector)}::halfvec(${size}) AS distance
          FROM knowledge_vectors
          WHERE dimensions = ${size} AND collection_id = ${collectionId} AND model = ${model} AND tenant_id = ${tenantId} ${within}
          ORDER BY distance LIMIT ${limit}) nearest
        ORDER BY distance, id`);
    });
  }

  private async isAvailable(): Promise<boolean> {
    if (this.isThere || Date.now() - this.askedAt < ASK_AGAIN_MS) return this.isThere;
    this.askedAt = Date.now();
    const rows = await this.db.$statement<object>(Prisma.sql`
      /* is there pgvector */ SELECT 1 FROM pg_attribute
      WHERE attrelid = 'knowledge_vectors'::regclass AND attname = 'embedding' AND NOT attisdropped`);
    this.isThere = rows.length > 0;
    return this.isThere;
  }

  /** Returns whether the collection is large enough and all its vectors are indexed. */
  private async isIndexed({ tenantId, collectionId, model, vector }: VectorQuery): Promise<boolean> {
    if (vector.length > MAX_DIMENSIONS) return false;
    const [row] = await this.db.$statement<{ passages: number; waiting: boolean }>(Prisma.sql`
      /* vectors indexed */ SELECT
        (SELECT coalesce(sum(passages), 0)::int FROM knowledge_segments
         WHERE collection_id = ${collectionId} AND tenant_id = ${tenantId} AND live) AS passages,
        EXISTS (SELECT 1 FROM knowledge_vectors WHERE collection_id = ${collectionId} AND model = ${model}
          AND tenant_id = ${tenantId} AND embedding IS NULL) AS waiting`);
    return row!.passages >= this.smallest && !row!.waiting;
  }
}
