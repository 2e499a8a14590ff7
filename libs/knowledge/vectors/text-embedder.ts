import { embeddingOf, type AgentRunnerSettings } from '#config/settings.js';
import type { Database } from '#db/client.js';
import { asService } from '#db/tenant-scope.js';
import { OpenAiEmbedder, type Embedder } from '#llm/embeddings.js';
import { ModelError } from '#llm/model-error.js';
import { tokensOf } from '#llm/tokens.js';
import { SemanticUnavailableError } from '../search/search.js';
import { EmbeddingBudgetError, EmbeddingUsage } from './embedding-usage.js';

/** Time limit in ms of a call with one text. */
const TIMEOUT_MS = 5_000;
/** Maximum number of characters of a text that are embedded: models accept a few hundred tokens. */
const TEXT_LENGTH = 2_000;

/** Embeds short texts that belong to no collection. Calls are limited by the tenant's budgets and recorded. */
export class TextEmbedder {
  constructor(
    private readonly db: Database,
    private readonly embedder: Embedder,
    private readonly usage: EmbeddingUsage,
  ) {}

  get model(): string {
    return this.embedder.model;
  }

  /**
   * @param timeoutMs time limit of the call, an integer
   * @returns vectors of unit length, in the order of the texts
   * @throws SemanticUnavailableError if the server fails or a budget is used up
   */
  async embed(tenantId: string, texts: readonly string[], timeoutMs = TIMEOUT_MS): Promise<Float32Array[]> {
    const given = texts.map((text) => text.slice(0, TEXT_LENGTH).toWellFormed());
    const tokens = given.reduce((sum, text) => sum + tokensOf(text), 0);
    try {
      await asService(() => this.usage.requireRoom(tenantId, this.model, tokens));
      const { vectors, ...used } = await this.embedder.embed(given, AbortSignal.timeout(timeoutMs));
      await asService(() => this.usage.enter(this.db, tenantId, this.model, used));
      return vectors;
    } catch (error) {
      const isUnavailable = error instanceof ModelError || (error as Error).name === 'TimeoutError';
      if (isUnavailable || error instanceof EmbeddingBudgetError)
        throw new SemanticUnavailableError('The texts could not be embedded.', { cause: error });
      throw error;
    }
  }
}

/** Creates the embedder; undefined without an embedding endpoint. */
export function textEmbedderOf(
  db: Database,
  settings: Parameters<typeof embeddingOf>[0] & Pick<AgentRunnerSettings, 'MODEL_PRICES'>,
): TextEmbedder | undefined {
  const embedding = embeddingOf(settings);
  return embedding
    ? new TextEmbedder(db, new OpenAiEmbedder(embedding), new EmbeddingUsage(db, settings.MODEL_PRICES))
    : undefined;
}
