import type { Database } from '#db/client.js';
import { asService } from '#db/tenant-scope.js';
import { ModelError } from '#llm/model-error.js';
import { tokensOf } from '#llm/tokens.js';
import {
  SemanticUnavailableError,
  type NearPassage,
  type SearchedCollection,
  type SemanticSearch,
} from '../search/search.js';
import type { EmbeddingModels } from './embedding-models.js';
import { EmbeddingBudgetError, type EmbeddingUsage } from './embedding-usage.js';
import { ExactVectors } from './exact-vectors.js';
import { PgVectors } from './pg-vectors.js';

/** Time limit in ms for embedding the query of a search. */
const QUERY_TIMEOUT_MS = 5_000;
/** Maximum number of characters of a query that are embedded: models accept a few hundred tokens. */
const QUERY_LENGTH = 2_000;

/**
 * Finds passages of similar meaning: with pgvector if it can serve a collection, otherwise with an exact
 * scan.
 */
export class VectorSearch implements SemanticSearch {
  private readonly indexed: PgVectors;
  private readonly exact: ExactVectors;

  /**
   * @param models also embed queries for older models whose vectors are still in service
   * @param cacheBytes memory limit for vectors
   */
  constructor(
    private readonly db: Database,
    private readonly models: EmbeddingModels,
    private readonly usage: EmbeddingUsage,
    cacheBytes: number,
    worker?: URL,
  ) {
    this.indexed = new PgVectors(db);
    this.exact = new ExactVectors(db, cacheBytes, worker);
  }

  async isConfigured(tenantId: string): Promise<boolean> {
    try {
      return (await this.models.current(tenantId)) !== null;
    } catch (error) {
      // An endpoint whose key cannot be read is configured, and unavailable.
      if (error instanceof ModelError) return true;
      throw error;
    }
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
      const vector = await this.embed(tenantId, model, query.slice(0, QUERY_LENGTH).toWellFormed());
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
    try {
      const model = await this.models.ofVectors(tenantId, label);
      if (!model) throw new SemanticUnavailableError('The server of the vectors is not configured any more.');
      const { embedder, price } = model;
      await asService(() => this.usage.requireRoom(tenantId, price, tokensOf(query)));
      const { vectors, ...used } = await embedder.embed([query], AbortSignal.timeout(QUERY_TIMEOUT_MS));
      await asService(() => this.usage.enter(this.db, tenantId, model, used));
      return vectors[0]!;
    } catch (error) {
      const isUnavailable = error instanceof ModelError || (error as Error).name === 'TimeoutError';
      if (isUnavailable || error instanceof EmbeddingBudgetError)
        throw new SemanticUnavailableError('The query could not be embedded.', { cause: error });
      throw error;
    }
  }
}
