/** Backends to run tests on. For test:system and test:deep, jest's global set-up starts Redis and MinIO if they are installed. */
import { isFastSpec, testTier } from './tier.js';

export interface QueueColumn {
  name: 'postgres' | 'redis';
  /** URL for QUEUE_URL; undefined for PostgreSQL, because the queue is then in the test's own database. */
  queueUrl: string | undefined;
}

interface DirectoryColumn {
  name: 'directory';
}

interface S3Column {
  name: 's3';
  endpoint: string;
  accessKey: string;
  secretKey: string;
}

export type StoreColumn = DirectoryColumn | S3Column;

/**
 * Returns the columns for the running spec. `npm test` uses the backends that need neither Redis nor S3. A spec of `npm test` that
 * test:system repeats uses the others; every other spec uses all.
 */
function ofThisRun<T>(columns: T[], isPlain: (column: T) => boolean): T[] {
  if (testTier() === 'fast') return columns.filter(isPlain);
  return testTier() === 'system' && isFastSpec() ? columns.filter((column) => !isPlain(column)) : columns;
}

/**
 * Returns the queues for `describe.each`.
 *
 * @param databaseUrl the test's database if it is known; otherwise set QUEUE_URL to it for the column `postgres`
 */
export const queueColumns = (databaseUrl?: string): QueueColumn[] =>
  ofThisRun(everyQueueColumn(databaseUrl), ({ name }) => name === 'postgres');

/** Returns the stores for `describe.each`. Create a separate directory or bucket in the store that a test gets. */
export const storeColumns = (): StoreColumn[] =>
  ofThisRun(everyStoreColumn(), ({ name }) => name === 'directory');

/** Returns pairs of queue and store: each backend in some pair for test:system, all combinations for test:deep. */
export function columnPairs(): { queue: QueueColumn; store: StoreColumn }[] {
  const [queues, stores] = [everyQueueColumn(), everyStoreColumn()];
  const pairs =
    testTier() === 'deep'
      ? queues.flatMap((queue) => stores.map((store) => ({ queue, store })))
      : Array.from({ length: Math.max(queues.length, stores.length) }, (_, index) => ({
          queue: queues[Math.min(index, queues.length - 1)]!,
          store: stores[Math.min(index, stores.length - 1)]!,
        }));
  return ofThisRun(pairs, ({ queue, store }) => queue.name === 'postgres' && store.name === 'directory');
}

/** Returns every available queue, regardless of the tier of the spec. */
export function everyQueueColumn(databaseUrl?: string): QueueColumn[] {
  const redis = process.env['TEST_REDIS_URL'];
  const columns: QueueColumn[] = [{ name: 'postgres', queueUrl: databaseUrl }];
  if (redis !== undefined) columns.push({ name: 'redis', queueUrl: redis });
  return columns;
}

/** Returns every available store, regardless of the tier of the spec. */
export function everyStoreColumn(): StoreColumn[] {
  const endpoint = process.env['TEST_S3_ENDPOINT'];
  const accessKey = process.env['TEST_S3_ACCESS_KEY'];
  const secretKey = process.env['TEST_S3_SECRET_KEY'];
  const columns: StoreColumn[] = [{ name: 'directory' }];
  if (endpoint !== undefined && accessKey !== undefined && secretKey !== undefined) {
    columns.push({ name: 's3', endpoint, accessKey, secretKey });
  }
  return columns;
}
