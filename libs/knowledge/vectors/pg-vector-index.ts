import { Prisma, type Database } from '#db/client.js';

/** Limit of an HNSW index of half-precision vectors. */
export const MAX_DIMENSIONS = 4_000;
/**
 * Minimum version of pgvector: 0.8 introduced iterative scans, which continue until they have enough results.
 */
const OLDEST = [0, 8];
/** Number of vectors that one statement indexes. */
const BATCH = 500;
/** Interval in ms at which a database without pgvector is checked again: it may be installed later. */
const ASK_AGAIN_MS = 60_000;
/**
 * Advisory lock while the extension and its column are created, because several workers may do so
 * concurrently.
 */
const PREPARE_LOCK = 7_370_002;

/** Formats a vector for pgvector. */
export const halfvecText = (vector: Float32Array): string => `[${vector.join(',')}]`;

/**
 * Maintains pgvector's index of the vectors, if the database has the extension or can install it. The index
 * is derived data: `vector` is the source of truth and `embedding` is filled from it afterwards, so the
 * extension can be removed and installed again.
 */
export class PgVectorIndex {
  private isReady = false;
  private askedAt = -Infinity;

  constructor(private readonly db: Database) {}

  /**
   * Indexes the vectors of a collection that are not indexed yet; creates the index if necessary. @returns
   * their number
   */
  async fill(collectionId: string): Promise<number> {
    if (!(await this.prepare())) return 0;
    for (let filled = 0; ;) {
      const count = await this.fillBatch(collectionId);
      if (count === 0) return filled;
      filled += count;
    }
  }

  /**
   * Returns collections with vectors that are not indexed yet, for example after the extension was installed.
   */
  async unfilled(): Promise<string[]> {
    if (!(await this.prepare())) return [];
    const rows = await this.db.$statement<{ id: string }>(Prisma.sql`
      /* collections to index by pgvector */ SELECT DISTINCT collection_id AS id FROM knowledge_vectors
      WHERE embedding IS NULL AND dimensions <= ${MAX_DIMENSIONS} LIMIT 100`);
    return rows.map(({ id }) => id);
  }

  /** @returns whether the database has pgvector and the table has its column */
  private async prepare(): Promise<boolean> {
    if (this.isReady || Date.now() - this.askedAt < ASK_AGAIN_MS) return this.isReady;
    this.askedAt = Date.now();
    const rows = await this.db.$statement<object>(Prisma.sql`
      /* can there be pgvector */ SELECT 1 FROM pg_available_extensions WHERE name = 'vector'
      AND string_to_array(substring(coalesce(installed_version, default_version) FROM '^[0-9.]*[0-9]'), '.')::int[] >= ${OLDEST}::int[]`);
    if (rows.length > 0) this.isReady = await this.install();
    return this.isReady;
  }

  /**
   * Returns false if the role lacks the permission: until the operator creates the extension, searches scan
   * all vectors.
   */
  private async install(): Promise<boolean> {
    try {
      await this.db.$transaction(async (tx) => {
        await tx.$executeRaw`SELECT pg_advisory_xact_lock(${PREPARE_LOCK})`;
        await tx.$executeRaw`CREATE EXTENSION IF NOT EXISTS vector`;
        await tx.$executeRaw`ALTER TABLE knowledge_vectors ADD COLUMN IF NOT EXISTS embedding halfvec`;
        await tx.$executeRaw`
          CREATE INDEX IF NOT EXISTS knowledge_vectors_unindexed_idx ON knowledge_vectors (collection_id, model) WHERE embedding IS NULL`;
      });
      return true;
    } catch (error) {
      if (/permission denied|must be owner/i.test(String(error))) return false;
      throw error;
    }
  }

  private async fillBatch(collectionId: string): Promise<number> {
    const rows = await this.db.$statement<{ number: string; dimensions: number; vector: Buffer }>(Prisma.sql`
      /* vectors to index */ SELECT number, dimensions, vector FROM knowledge_vectors
      WHERE collection_id = ${collectionId} AND embedding IS NULL AND dimensions <= ${MAX_DIMENSIONS} LIMIT ${BATCH}`);
    if (rows.length === 0) return 0;
    for (const dimensions of new Set(rows.map((row) => row.dimensions))) await this.makeIndex(dimensions);
    const texts = rows.map(({ vector }) => halfvecText(new Float32Array(new Uint8Array(vector).buffer)));
    await this.db.$executeRaw`
      /* index vectors */ UPDATE knowledge_vectors v SET embedding = f.text::halfvec
      FROM unnest(${rows.map(({ number }) => number)}::bigint[], ${texts}::text[]) AS f (number, text)
      WHERE v.number = f.number AND v.collection_id = ${collectionId}`;
    return rows.length;
  }

  /** Creates the index for one vector length before its first vector is indexed, when building it is immediate. */
  private async makeIndex(dimensions: number): Promise<void> {
    await this.db.$executeRawUnsafe(
      `CREATE INDEX IF NOT EXISTS knowledge_vectors_hnsw_${dimensions}_idx ON knowledge_vectors
       USING hnsw ((embedding::halfvec(${dimensions})) halfvec_cosine_ops) WHERE dimensions = ${dimensions}`,
    );
  }
}
