import type { Database } from '#db/client.js';
import type { NearPassage, SearchedCollection, SemanticSearch } from '../search/search.js';
import type { EmbeddingModels } from './embedding-models.js';
import type { EmbeddingUsage } from './embedding-usage.js';
import { ExactVectors } from './exact-vectors.js';
import { PgVectors } from './pg-vectors.js';
import { TextEmbedder } from './text-embedder.js';

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
