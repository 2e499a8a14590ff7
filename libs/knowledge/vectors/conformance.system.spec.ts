import { createDatabase } from '#db/client.js';
import { migrate } from '#db/migrate.js';
import { startPostgres } from '#embedded/postgres.js';
import { projectRoot } from '#embedded/project-root.js';
import { hasPgvector, pgvectorIn } from '#testing/pgvector.js';
import { describeVectorSearch, type VectorSearch } from '#testing/vector-search.js';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PgVectorIndex } from './pg-vector-index.js';
import { PgVectors } from './vector-search.js';

async function pgvectorSearch(): Promise<VectorSearch> {
  const folder = await mkdtemp(join(tmpdir(), 'pgvector-'));
  await chmod(folder, 0o755);
  // Of so few vectors the planner would rather sort all than walk the graph.
  const settings = { fsync: 'off', enable_sort: 'off', ...pgvectorIn(join(folder, 'extension')) };
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres'), settings });
  await migrate(postgres.url, join(projectRoot(), 'prisma/migrations'));
  const db = createDatabase(postgres.url, 4);
  const stop = async () => {
    await db.$disconnect();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  };
  const index = new PgVectorIndex(db);
  return { db, vectors: new PgVectors(db, 0), index: (collectionId) => index.fill(collectionId), stop };
}

(hasPgvector ? describe : describe.skip)('on a PostgreSQL with pgvector', () =>
  describeVectorSearch('pgvector', true, pgvectorSearch),
);
