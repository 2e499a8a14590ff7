import type { QueueColumn } from '#testing/columns.js';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startOwnPostgres, type OwnPostgres } from './own-postgres.js';
import { startOwnRedis, type OwnRedis } from './own-redis.js';
import { startOwnDirectory, startOwnMinio, type OwnStore } from './own-store.js';

/** Servers that belong to the harness alone, so that it may restart and spoil them. */
export interface OwnServers {
  queue: QueueColumn;
  postgres: OwnPostgres;
  /** Null when the queue lies in PostgreSQL. */
  redis: OwnRedis | null;
  store: OwnStore;
  stop(): Promise<void>;
}

/** The queue on Redis comes with MinIO where there is one, the queue on PostgreSQL with a directory. */
export async function startOwnServers(queue: QueueColumn['name']): Promise<OwnServers> {
  const dir = await mkdtemp(join(tmpdir(), 'scriptorium-faults-'));
  await chmod(dir, 0o711);
  const postgres = await startOwnPostgres(dir);
  const redis = queue === 'redis' ? await startOwnRedis(dir) : null;
  const minio = queue === 'redis' ? await startOwnMinio(dir) : null;
  const store = minio ?? (await startOwnDirectory(dir));
  return {
    queue: { name: queue, queueUrl: redis?.url },
    postgres,
    redis,
    store,
    async stop() {
      await redis?.stop();
      await store.stop();
      await postgres.stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}
