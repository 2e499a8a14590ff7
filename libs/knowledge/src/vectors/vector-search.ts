import type { Database } from '#db/client.js';
import { asService } from '#db/tenant-scope.js';
import { OpenAiEmbedder, type Embedder, type EmbedderConfig } from '#llm/embeddings.js';
import { ModelError } from '#llm/model-error.js';
import { tokensOf } from '#llm/tokens.js';
import { Piscina } from 'piscina';
import {
  SemanticUnavailableError,
  type NearPassage,
  type SearchedCollection,
  type SemanticSearch,
} from '../search/search.js';
import { EmbeddingBudgetError, type EmbeddingUsage } from './embedding-usage.js';
import type { ScanHit, ScanRequest } from './scan.js';
import { VectorCache } from './vector-cache.js';

/** Milliseconds that a search waits for the embedding of its query. */
const QUERY_TIMEOUT_MS = 5_000;
/** Characters of a query that are embedded: models take a few hundred tokens. */
const QUERY_LENGTH = 2_000;

/** Finds what is near in meaning by looking at every vector of the collections, in a thread over memory shared with it. */
export class VectorSearch implements SemanticSearch {
  private readonly cache: VectorCache;
  private readonly embedders = new Map<string, Embedder>();
  private pool: Piscina | null = null;

  /**
   * @param config of the model in use; the vectors of another that still serve are asked for at the same server
   * @param cacheBytes that vectors may take in memory
   */
  constructor(
    db: Database,
    private readonly config: EmbedderConfig,
    private readonly usage: EmbeddingUsage,
    cacheBytes: number,
    private readonly worker = new URL('./scan.worker.js', import.meta.url),
  ) {
    this.cache = new VectorCache(db, cacheBytes);
    this.db = db;
  }

  private readonly db: Database;

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
      const vector = await this.embed(tenantId, model, query.slice(0, QUERY_LENGTH).toWellFormed());
      for (const { id } of collections.filter(({ vectorModel }) => vectorModel === model)) {
        const loaded = await this.cache.load(tenantId, id, model);
        if (!loaded || loaded.matrix.dimensions !== vector.length) continue;
        const hits = await this.scan({
          matrix: loaded.matrix,
          query: vector,
          limit,
          ...(sources && { allowed: [...sources] }),
        });
        found.push(
          ...hits.map(({ place, similarity }) => ({ chunkId: loaded.chunkIds[place]!, similarity })),
        );
      }
    }
    return found
      .sort((a, b) => b.similarity - a.similarity || (a.chunkId < b.chunkId ? -1 : 1))
      .slice(0, limit);
  }

  async close(): Promise<void> {
    await this.pool?.destroy();
  }

  private async embed(tenantId: string, model: string, query: string): Promise<Float32Array> {
    try {
      await asService(() => this.usage.requireRoom(tenantId, model, tokensOf(query)));
      const { vectors, ...used } = await this.embedderOf(model).embed(
        [query],
        AbortSignal.timeout(QUERY_TIMEOUT_MS),
      );
      await asService(() => this.usage.enter(this.db, tenantId, model, used));
      return vectors[0]!;
    } catch (error) {
      const isUnavailable = error instanceof ModelError || (error as Error).name === 'TimeoutError';
      if (isUnavailable || error instanceof EmbeddingBudgetError)
        throw new SemanticUnavailableError('The query could not be embedded.', { cause: error });
      throw error;
    }
  }

  private embedderOf(model: string): Embedder {
    let embedder = this.embedders.get(model);
    if (!embedder) this.embedders.set(model, (embedder = new OpenAiEmbedder({ ...this.config, model })));
    return embedder;
  }

  private scan(request: ScanRequest): Promise<ScanHit[]> {
    this.pool ??= new Piscina({ filename: this.worker.href, minThreads: 1, maxThreads: 1, execArgv: [] });
    return this.pool.run(request) as Promise<ScanHit[]>;
  }
}
