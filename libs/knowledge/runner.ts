import type { RunnerDependencies } from '#kit/runner/feature.js';
import type { Database } from '#db/client.js';
import { RUNNER_MB } from '#config/memory.js';
import type { PassageEmbedder } from './ingest/index-source.js';
import { embeddingModels, EmbeddingUsage } from './vectors/embedding-models.js';
import { StoredEmbedder } from './vectors/stored-embedder.js';
import { VectorSearch } from './vectors/vector-search.js';

/** Dependencies of graphs that search collections. */
export interface SearchDependencies extends RunnerDependencies {
  /** Undefined without an embedding endpoint. */
  meaning: EmbeddingServices | undefined;
}

/** Services with which runs search by meaning and embed what they add to collections. */
export interface EmbeddingServices {
  search: VectorSearch;
  embedder: PassageEmbedder;
}

/** Creates the embedding services; a tenant without an embedding model searches by words only. */
export function meaningOf(db: Database, settings: Parameters<typeof embeddingModels>[1]): EmbeddingServices {
  const models = embeddingModels(db, settings);
  const usage = new EmbeddingUsage(db);
  return {
    search: new VectorSearch(db, models, usage, RUNNER_MB.vectors * 2 ** 20),
    embedder: new StoredEmbedder(db, models, usage),
  };
}
