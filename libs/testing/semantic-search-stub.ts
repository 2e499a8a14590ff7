import type { Database } from '#db/client.js';
import { wordsOf } from '#knowledge/text/words.js';
import { InstalledModels, EmbeddingUsage } from '#knowledge/vectors/embedding-models.js';
import { StoredEmbedder } from '#knowledge/vectors/stored-embedder.js';
import { VectorSearch } from '#knowledge/vectors/vector-search.js';
import { startEmbeddingStub, type EmbeddingStub } from './embedding-stub.js';

const SCAN = new URL('../../dist/libs/knowledge/vectors/scan.worker.js', import.meta.url);
const SHIPS = ['ship', 'ships', 'boat', 'boats', 'vessel', 'vessels'];
/** A text is nearer to the topic the more often it mentions ships. */
const vectorOf = (text: string) => [wordsOf(text).filter((word) => SHIPS.includes(word)).length, 0.1];

export interface ShipsMeaning {
  meaning: { search: VectorSearch; embedder: StoredEmbedder };
  stub: EmbeddingStub;
  stop(): Promise<void>;
}

/** Starts semantic search with an embedding endpoint to which all words for ships are equal and other words are meaningless. */
export async function startSemanticSearchStub(db: Database): Promise<ShipsMeaning> {
  const stub = await startEmbeddingStub(vectorOf);
  const models = new InstalledModels({ model: 'one', baseUrl: stub.baseUrl, retryDelayMs: 1 });
  const usage = new EmbeddingUsage(db);
  const search = new VectorSearch(db, models, usage, 2 ** 20, SCAN);
  return {
    meaning: { search, embedder: new StoredEmbedder(db, models, usage) },
    stub,
    stop: async () => {
      await search.close();
      stub.stop();
    },
  };
}
