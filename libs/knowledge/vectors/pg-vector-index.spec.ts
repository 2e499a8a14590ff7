import { createDatabase, type Database } from '#db/client.js';
import { migrate } from '#db/migrate.js';
import { startPostgres, type EmbeddedPostgres } from '#embedded/postgres.js';
import { projectRoot } from '#embedded/project-root.js';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PgVectorIndex } from './pg-vector-index.js';
import { PgVectors } from './vector-search.js';

/** As the packages of older systems have it: without half-precision vectors, or without searches that go on. */
const TOO_OLD = '0.7.4';

describe('a PostgreSQL with a pgvector that is too old', () => {
  let folder: string;
  let postgres: EmbeddedPostgres;
  let db: Database;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'old-pgvector-'));
    const extensions = join(folder, 'share', 'extension');
    await mkdir(extensions, { recursive: true });
    await writeFile(join(extensions, 'vector.control'), `default_version = '${TOO_OLD}'\n`);
    await writeFile(join(extensions, `vector--${TOO_OLD}.sql`), 'CREATE TYPE vector;\n');
    for (const path of [folder, join(folder, 'share'), extensions]) await chmod(path, 0o755);
    const settings = { fsync: 'off', extension_control_path: `$system:${join(folder, 'share')}` };
    postgres = await startPostgres({ dataDir: join(folder, 'postgres'), settings });
    await migrate(postgres.url, join(projectRoot(), 'prisma/migrations'));
    db = createDatabase(postgres.url, 2);
  });
  afterAll(async () => {
    await db.$disconnect();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const asked = {
    tenantId: 'ten_a',
    collectionId: 'col_a',
    model: 'm',
    vector: Float32Array.of(1, 0),
    limit: 10,
  };

  it.each(['can be installed', 'is installed'])(
    'B14 searches without an index where it %s',
    async (state) => {
      if (state === 'is installed') await db.$executeRaw`CREATE EXTENSION vector`;
      expect(await new PgVectorIndex(db).fill('col_a')).toBe(0);
      expect(await new PgVectorIndex(db).unfilled()).toEqual([]);
      expect(await new PgVectors(db, 0).nearest(asked)).toBeNull();
    },
  );
});
