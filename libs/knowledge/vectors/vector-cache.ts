import { Prisma, type Database } from '#db/client.js';
import type { VectorMatrix } from './scan.js';

/** The vectors of a collection by one model, with the IDs of their chunks. */
interface LoadedVectors {
  matrix: VectorMatrix;
  chunkIds: string[];
}

interface Entry extends LoadedVectors {
  bytes: number;
  stamp: string;
}

/** Number of rows read at a time. */
const PAGE = 5_000;

/**
 * Cache of the vectors of collections. If it exceeds its limit, the least recently used ones are dropped.
 * Each search checks in the database whether the cached vectors are still complete.
 */
export class VectorCache {
  private readonly entries = new Map<string, Entry>();

  /** @param maxBytes limit for all cached vectors together */
  constructor(
    private readonly db: Database,
    private readonly maxBytes: number,
  ) {}

  async load(tenantId: string, collectionId: string, model: string): Promise<LoadedVectors | null> {
    const key = `${collectionId}/${model}`;
    const state = await this.state(tenantId, collectionId, model);
    if (state.count === 0) return null;
    const known = this.entries.get(key);
    this.entries.delete(key);
    const entry =
      known?.stamp === state.stamp ? known : await this.read(tenantId, collectionId, model, state);
    this.entries.set(key, entry);
    this.evictOldest();
    return entry;
  }

  private async state(tenantId: string, collectionId: string, model: string) {
    const [row] = await this.db.$statement<{ count: number; dimensions: number; stamp: string }>(Prisma.sql`
      /* state of vectors */ SELECT count(*)::int AS count, coalesce(max(dimensions), 0) AS dimensions,
        count(*) || '/' || coalesce(max(number), 0) AS stamp
      FROM knowledge_vectors WHERE collection_id = ${collectionId} AND model = ${model} AND tenant_id = ${tenantId}`);
    return row!;
  }

  private async read(
    tenantId: string,
    collectionId: string,
    model: string,
    { count, dimensions, stamp }: { count: number; dimensions: number; stamp: string },
  ): Promise<Entry> {
    const bytes = count * dimensions * 4;
    const matrix = {
      count: 0,
      dimensions,
      values: new SharedArrayBuffer(bytes),
      sources: new SharedArrayBuffer(count * 4),
    };
    const [values, sources] = [new Float32Array(matrix.values), new Int32Array(matrix.sources)];
    const chunkIds: string[] = [];
    for (let after = '0'; ;) {
      const rows = await this.db.$statement<{
        id: string;
        number: string;
        source: number;
        vector: Buffer;
      }>(Prisma.sql`
        /* read vectors */ SELECT v.chunk_id AS id, v.number, v.source_number AS source, v.vector FROM knowledge_vectors v
        WHERE v.collection_id = ${collectionId} AND v.model = ${model} AND v.tenant_id = ${tenantId} AND v.number > ${after}::bigint
          AND v.dimensions = ${dimensions} ORDER BY v.number LIMIT ${PAGE}`);
      for (const { id, source, vector } of rows.slice(0, count - chunkIds.length)) {
        values.set(new Float32Array(new Uint8Array(vector).buffer), chunkIds.length * dimensions);
        sources[chunkIds.length] = source;
        chunkIds.push(id);
      }
      if (rows.length < PAGE) break;
      after = rows.at(-1)!.number;
    }
    matrix.count = chunkIds.length;
    return { matrix, chunkIds, bytes, stamp };
  }

  private evictOldest(): void {
    let total = [...this.entries.values()].reduce((sum, { bytes }) => sum + bytes, 0);
    for (const [key, { bytes }] of this.entries) {
      if (total <= this.maxBytes || this.entries.size === 1) return;
      this.entries.delete(key);
      total -= bytes;
    }
  }
}
