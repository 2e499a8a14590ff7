import type { QueueColumn } from '#testing/columns.js';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startOwnPostgres, type OwnPostgres } from './own-postgres.js';
import { startOwnRedis, type OwnRedis } from './own-redis.js';
import { startOwnDirectory, startOwnMinio, type OwnStore } from './own-store.js';

/** PostgreSQL of the harness, and Redis if the queue uses it. */
export interface OwnBackends {
  /** Folder for other data on disk; removed with the servers. */
  dir: string;
  postgres: OwnPostgres;
  /** Null if the queue is in PostgreSQL. */
  redis: OwnRedis | null;
  stop(): Promise<void>;
}

export async function startOwnBackends(queue: QueueColumn['name']): Promise<OwnBackends> {
  const dir = await mkdtemp(join(tmpdir(), 'scriptorium-faults-'));
  // If the tests run as root, PostgreSQL runs under another account, which needs to traverse this folder.
  await chmod(dir, 0o711);
  const postgres = await startOwnPostgres(dir);
  const redis = queue === 'redis' ? await startOwnRedis(dir) : null;
  return {
    dir,
    postgres,
    redis,
    async stop() {
      await redis?.stop();
      await postgres.stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** Servers of a whole stack, so that the harness can restart and disturb them. */
export interface OwnServers extends OwnBackends {
  queue: QueueColumn;
  store: OwnStore;
}

/** The queue on Redis is combined with MinIO if installed, the queue on PostgreSQL with a directory. */
export async function startOwnServers(queue: QueueColumn['name']): Promise<OwnServers> {
  const backends = await startOwnBackends(queue);
  const minio = queue === 'redis' ? await startOwnMinio(backends.dir) : null;
  const store = minio ?? (await startOwnDirectory(backends.dir));
  return {
    ...backends,
    queue: { name: queue, queueUrl: backends.redis?.url },
    store,
    async stop() {
      await store.stop();
      await backends.stop();
    },
  };
}
