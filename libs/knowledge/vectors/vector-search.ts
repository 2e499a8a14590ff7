import { type Database, Prisma } from '#db/client.js';
import type { NearPassage, SearchedCollection, SemanticSearch } from '../search/search.js';
import type { EmbeddingModels, EmbeddingUsage } from './embedding-models.js';
import { TextEmbedder } from './text-embedder.js';
import { Piscina } from 'piscina';
import type { ScanHit, ScanRequest, VectorMatrix } from './scan.js';
import { halfvecText, MAX_DIMENSIONS } from './pg-vector-index.js';

/**
 * Finds passages of similar meaning: with pgvector if it can serve a collection, otherwise with an exact
 * scan.
 */
export class VectorSearch implements SemanticSearch {
  private readonly indexed: PgVectors;
  private readonly exact: ExactVectors;
  private readonly texts: TextEmbedder;

  /**
   * @param models also embed queries for older models whose vectors are still in service
   * @param cacheBytes memory limit for vectors
   */
  constructor(
    db: Database,
    models: EmbeddingModels,
    usage: EmbeddingUsage,
    cacheBytes: number,
    worker?: URL,
  ) {
    this.texts = new TextEmbedder(db, models, usage);
    this.indexed = new PgVectors(db);
    this.exact = new ExactVectors(db, cacheBytes, worker);
  }

  isConfigured(tenantId: string): Promise<boolean> {
    return this.texts.isConfigured(tenantId);
  }

  async nearest(
    tenantId: string,
    collections: SearchedCollection[],
    query: string,
    limit: number,
    sources?: ReadonlySet<number>,
  ): Promise<NearPassage[]> {
    const found: NearPassage[] = [];
    const models = new Set(collections.flatMap(({ vectorModel }) => vectorModel ?? []));
    for (const model of models) {
      const vector = await this.embed(tenantId, model, query);
      for (const { id } of collections.filter(({ vectorModel }) => vectorModel === model)) {
        const asked = { tenantId, collectionId: id, model, vector, limit, ...(sources && { sources }) };
        found.push(...((await this.indexed.nearest(asked)) ?? (await this.exact.nearest(asked))));
      }
    }
    return found
      .sort((a, b) => b.similarity - a.similarity || (a.chunkId < b.chunkId ? -1 : 1))
      .slice(0, limit);
  }

  async close(): Promise<void> {
    await this.exact.close();
  }

  private async embed(tenantId: string, label: string, query: string): Promise<Float32Array> {
    const model = await this.texts.modelOfVectors(tenantId, label);
    const [vector] = await this.texts.embed(tenantId, model, [query]);
    return vector!;
  }
}

/** Scans every vector of a collection, in a thread with shared memory. */
export class ExactVectors implements CollectionVectors {
  private readonly cache: VectorCache;
  private pool: Piscina | null = null;

  /** @param cacheBytes memory limit for vectors */
  constructor(
    db: Database,
    cacheBytes: number,
    private readonly worker = new URL('./scan.worker.js', import.meta.url),
  ) {
    this.cache = new VectorCache(db, cacheBytes);
  }

  async nearest({
    tenantId,
    collectionId,
    model,
    vector,
    limit,
    sources,
  }: VectorQuery): Promise<NearPassage[]> {
    const loaded = await this.cache.load(tenantId, collectionId, model);
    if (!loaded || loaded.matrix.dimensions !== vector.length) return [];
    const { matrix, chunkIds } = loaded;
    const hits = await this.scan({ matrix, query: vector, limit, ...(sources && { allowed: [...sources] }) });
    return hits.map(({ place, similarity }) => ({ chunkId: chunkIds[place]!, similarity }));
  }

  async close(): Promise<void> {
    await this.pool?.destroy();
  }

  private scan(request: ScanRequest): Promise<ScanHit[]> {
    this.pool ??= new Piscina({ filename: this.worker.href, minThreads: 1, maxThreads: 1, execArgv: [] });
    return this.pool.run(request) as Promise<ScanHit[]>;
  }
}

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
class VectorCache {
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

/** A search among the vectors of one collection. */
interface VectorQuery {
  tenantId: string;
  collectionId: string;
  model: string;
  /** Query vector of unit length. */
  vector: Float32Array;
  limit: number;
  /** Numbers of the sources that may be found; absent for all. */
  sources?: ReadonlySet<number>;
}

/** A method of finding the passages of a collection whose vectors are nearest to a query. */
export interface CollectionVectors {
  /** @returns passages, best first; null if this method cannot serve the collection now */
  nearest(query: VectorQuery): Promise<NearPassage[] | null>;
}
