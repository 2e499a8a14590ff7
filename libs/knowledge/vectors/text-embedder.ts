import { phrase } from '#contracts/phrases/phrase.js';
import type { Database } from '#db/client.js';
import { asService } from '#db/tenant-scope.js';
import { ModelError } from '#llm/model-error.js';
import { tokensOf } from '#llm/tokens.js';
import { SemanticUnavailableError } from '../search/search.js';
import {
  embeddingModels,
  type EmbeddingModel,
  type EmbeddingModels,
  EmbeddingBudgetError,
  EmbeddingUsage,
} from './embedding-models.js';

/** Time limit in ms of a call with one text. */
const TIMEOUT_MS = 5_000;
/** Maximum number of characters of a text that are embedded: models accept a few hundred tokens. */
const TEXT_LENGTH = 2_000;

/** Embeds short texts, such as queries. Calls are limited by the tenant's budgets and recorded. */
export class TextEmbedder {
  constructor(
    private readonly db: Database,
    private readonly models: EmbeddingModels,
    private readonly usage: EmbeddingUsage,
  ) {}

  /** Returns whether a tenant has an embedding model, even if it is unavailable because its key cannot be read. */
  async isConfigured(tenantId: string): Promise<boolean> {
    try {
      return (await this.models.current(tenantId)) !== null;
    } catch (error) {
      if (error instanceof ModelError) return true;
      throw error;
    }
  }

  /**
   * Returns the embedding model of a tenant.
   *
   * @throws SemanticUnavailableError if there is none, or its key cannot be read
   */
  current(tenantId: string): Promise<EmbeddingModel> {
    return available(this.models.current(tenantId));
  }

  /**
   * Returns the model of stored vectors.
   *
   * @throws SemanticUnavailableError if its server is not configured any more, or its key cannot be read
   */
  modelOfVectors(tenantId: string, label: string): Promise<EmbeddingModel> {
    return available(this.models.ofVectors(tenantId, label));
  }

  /**
   * @param timeoutMs time limit of the call, an integer
   * @returns vectors of unit length, in the order of the texts
   * @throws SemanticUnavailableError if the server fails or a budget is used up
   */
  async embed(
    tenantId: string,
    model: EmbeddingModel,
    texts: readonly string[],
    timeoutMs = TIMEOUT_MS,
  ): Promise<Float32Array[]> {
    const given = texts.map((text) => text.slice(0, TEXT_LENGTH).toWellFormed());
    const tokens = given.reduce((sum, text) => sum + tokensOf(text), 0);
    try {
      await asService(() => this.usage.requireRoom(tenantId, model.price, tokens));
      const { vectors, ...used } = await model.embedder.embed(given, AbortSignal.timeout(timeoutMs));
      await asService(() => this.usage.enter(this.db, tenantId, model, used));
      return vectors;
    } catch (error) {
      throw unavailable(error) ?? error;
    }
  }
}

async function available(found: Promise<EmbeddingModel | null>): Promise<EmbeddingModel> {
  const model = await found.catch((error: unknown) => {
    throw unavailable(error) ?? error;
  });
  if (!model) throw new SemanticUnavailableError(phrase('source_problem.embedding_gone'));
  return model;
}

/** Returns the error for callers if a model, its time limit or a budget caused it. */
function unavailable(error: unknown): SemanticUnavailableError | null {
  const isReason =
    error instanceof ModelError ||
    error instanceof EmbeddingBudgetError ||
    (error as Error).name === 'TimeoutError';
  return isReason
    ? new SemanticUnavailableError(phrase('source_problem.not_embedded'), { cause: error })
    : null;
}

/** Creates the embedder of a process. */
export const textEmbedderOf = (db: Database, settings: Parameters<typeof embeddingModels>[1]): TextEmbedder =>
  new TextEmbedder(db, embeddingModels(db, settings), new EmbeddingUsage(db));
