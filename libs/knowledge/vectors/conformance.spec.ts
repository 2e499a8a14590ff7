import { createDatabase } from '#db/client.js';
import { createTestDatabase } from '#testing/postgres.js';
import { describeVectorSearch, type VectorSearch } from '#testing/vector-search.js';
import { ExactVectors } from './vector-search.js';
import { PgVectorIndex } from './pg-vector-index.js';

const WORKER = new URL('../../../dist/libs/knowledge/vectors/scan.worker.js', import.meta.url);

async function exactSearch(): Promise<VectorSearch> {
  const database = await createTestDatabase();
  const db = createDatabase(database.url, 4);
  const vectors = new ExactVectors(db, 2 ** 24, WORKER);
  const index = (collectionId: string) => new PgVectorIndex(db).fill(collectionId);
  return {
    db,
    vectors,
    index,
    stop: async () => (await vectors.close(), await db.$disconnect(), await database.drop()),
  };
}

describeVectorSearch('exact', false, exactSearch);
