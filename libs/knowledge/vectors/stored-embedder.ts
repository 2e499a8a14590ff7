import { detailOf } from '#contracts/phrases/detail.js';
import { phrase } from '#contracts/phrases/phrase.js';
import type { Database } from '#db/client.js';
import type { Embeddings } from '#llm/embeddings.js';
import { ModelError } from '#llm/model-error.js';
import { tokensOf } from '#llm/tokens.js';
import { requireLeased, type ClaimedSource } from '../ingest/claim.js';
import { UnreadableSourceError, type PassageEmbedder } from '../ingest/index-source.js';
import { SemanticUnavailableError } from '../search/search.js';
import {
  type EmbeddingModel,
  type EmbeddingModels,
  EmbeddingBudgetError,
  type EmbeddingUsage,
} from './embedding-models.js';

/**
 * Number of passages whose vectors are stored together; if the process dies, at most one batch is embedded
 * and paid again.
 */
const BATCH = 128;

/** Embeds the passages of a source that lack a vector of the tenant's model, if it has one, and stores the vectors. */
export class StoredEmbedder implements PassageEmbedder {
  constructor(
    private readonly db: Database,
    private readonly models: EmbeddingModels,
    private readonly usage: EmbeddingUsage,
  ) {}

  async embedMissing(
    source: ClaimedSource,
    passages: { id: string; text: string }[],
    signal: AbortSignal,
  ): Promise<void> {
    const model = await this.modelOf(source);
    if (!model) return;
    const rows = await this.db.$queryRaw<{ id: string }[]>`
      /* embedded chunks */ SELECT v.chunk_id AS id FROM knowledge_chunks c JOIN knowledge_vectors v ON v.chunk_id = c.id AND v.model = ${model.label}
      WHERE c.source_id = ${source.id}`;
    const there = new Set(rows.map(({ id }) => id));
    const missing = passages.filter(({ id }) => !there.has(id));
    for (let at = 0; at < missing.length; at += BATCH) {
      signal.throwIfAborted();
      const batch = missing.slice(at, at + BATCH);
      await this.keep(source, model, batch, await this.embed(source, model, batch, signal));
    }
  }

  /**
   * Puts the model's vectors into service once every live passage has one, then deletes the vectors of other
   * models.
   */
  async serve(source: Pick<ClaimedSource, 'tenantId' | 'collectionId'>): Promise<void> {
    const model = (await this.modelOf(source))?.label;
    if (model === undefined) return;
    const { collectionId } = source;
    await this.db.$executeRaw`
      /* vectors in service */ WITH served AS (
        UPDATE knowledge_collections SET vector_model = ${model}
        WHERE id = ${collectionId} AND vector_model IS DISTINCT FROM ${model} AND NOT EXISTS (
          SELECT 1 FROM knowledge_segments s JOIN knowledge_chunks c ON c.segment_id = s.id
          WHERE s.collection_id = ${collectionId} AND s.live
            AND NOT EXISTS (SELECT 1 FROM knowledge_vectors v WHERE v.chunk_id = c.id AND v.model = ${model}))
        RETURNING id
      )
      DELETE FROM knowledge_vectors v USING served WHERE v.collection_id = served.id AND v.model <> ${model}`;
  }

  /** @throws SemanticUnavailableError if the key of the tenant's endpoint cannot be read */
  private async modelOf({ tenantId }: Pick<ClaimedSource, 'tenantId'>): Promise<EmbeddingModel | null> {
    try {
      return await this.models.current(tenantId);
    } catch (error) {
      if (error instanceof ModelError) throw new SemanticUnavailableError(detailOf(error));
      throw error;
    }
  }

  private async embed(
    source: ClaimedSource,
    { embedder, price }: EmbeddingModel,
    batch: { text: string }[],
    signal: AbortSignal,
  ): Promise<Embeddings> {
    const texts = batch.map(({ text }) => text);
    try {
      const tokens = texts.reduce((sum, text) => sum + tokensOf(text), 0);
      await this.usage.requireRoom(source.tenantId, price, tokens);
      return await embedder.embed(texts, signal);
    } catch (error) {
      if (error instanceof EmbeddingBudgetError) throw new UnreadableSourceError(error.phrase);
      if (!(error instanceof ModelError)) throw error;
      if (error.code === 'model_rejected' || error.code === 'model_prompt_too_long')
        throw new UnreadableSourceError(detailOf(error));
      throw new SemanticUnavailableError(phrase('source_problem.embedding_outage'));
    }
  }

  private async keep(
    source: ClaimedSource,
    model: EmbeddingModel,
    batch: { id: string }[],
    { vectors, ...used }: Embeddings,
  ): Promise<void> {
    const { tenantId, collectionId, number } = source;
    const dimensions = vectors[0]!.length;
    const bytes = Buffer.concat(vectors.map(({ buffer }) => Buffer.from(buffer)));
    await this.db.$transaction(async (tx) => {
      await requireLeased(tx, source);
      await tx.$executeRaw`
        /* insert vectors */ INSERT INTO knowledge_vectors (chunk_id, model, tenant_id, collection_id, source_number, dimensions, vector)
        SELECT c.id, ${model.label}, ${tenantId}, ${collectionId}, ${number}::int, ${dimensions}::int,
               substring(${bytes}::bytea FROM ((c.place - 1) * ${dimensions * 4}::int + 1)::int FOR ${dimensions * 4}::int)
        FROM unnest(${batch.map(({ id }) => id)}::text[]) WITH ORDINALITY AS c (id, place)
        ON CONFLICT (chunk_id, model) DO NOTHING`;
      await this.usage.enter(tx, tenantId, model, used);
    });
  }
}
