import { embeddingOf, type AgentRunnerSettings } from '#config/settings.js';
import type { Database } from '#db/client.js';
import type { PassageEmbedder } from '../ingest/index-source.js';
import { EmbeddingUsage } from '../vectors/embedding-usage.js';
import { StoredEmbedder } from '../vectors/stored-embedder.js';
import { VectorSearch } from '../vectors/vector-search.js';
import { OpenAiEmbedder } from '#llm/embeddings.js';
import { MEMORY_MB } from '#config/memory/agent-runner.js';

/** Services with which runs search by meaning and embed what they add to collections. */
export interface EmbeddingServices {
  search: VectorSearch;
  embedder: PassageEmbedder;
}

/** Creates the embedding services; undefined without an embedding endpoint, when search uses words only. */
export function meaningOf(
  db: Database,
  settings: Parameters<typeof embeddingOf>[0] & Pick<AgentRunnerSettings, 'MODEL_PRICES'>,
): EmbeddingServices | undefined {
  const embedding = embeddingOf(settings);
  if (!embedding) return undefined;
  const usage = new EmbeddingUsage(db, settings.MODEL_PRICES);
  return {
    search: new VectorSearch(db, embedding, usage, MEMORY_MB.vectors * 2 ** 20),
    embedder: new StoredEmbedder(db, new OpenAiEmbedder(embedding), usage),
  };
}
