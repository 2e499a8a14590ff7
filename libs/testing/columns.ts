/** The backends that a test runs on. jest's global set-up starts Redis and MinIO, where they are installed, for test:system and test:deep. */
import { isFastSpec, testTier } from './tier.js';

export interface QueueColumn {
  name: 'postgres' | 'redis';
  /** URL for QUEUE_URL; undefined for PostgreSQL, whose queue lies in the test's own database. */
  queueUrl: string | undefined;
}

export interface DirectoryColumn {
  name: 'directory';
}

export interface S3Column {
  name: 's3';
  endpoint: string;
  accessKey: string;
  secretKey: string;
}

export type StoreColumn = DirectoryColumn | S3Column;

/**
 * The columns of the running spec. `npm test` has those of a machine without Redis and S3. A spec of `npm test` that test:system runs again
 * has the others; every other spec has all.
 */
function ofThisRun<T>(columns: T[], isPlain: (column: T) => boolean): T[] {
  if (testTier() === 'fast') return columns.filter(isPlain);
  return testTier() === 'system' && isFastSpec() ? columns.filter((column) => !isPlain(column)) : columns;
}

/**
 * For `describe.each(queueColumns())`.
 *
 * @param databaseUrl the test's database, when it is known; else set QUEUE_URL to it for the column `postgres`
 */
export const queueColumns = (databaseUrl?: string): QueueColumn[] =>
  ofThisRun(everyQueueColumn(databaseUrl), ({ name }) => name === 'postgres');

/** For `describe.each(storeColumns())`. Make a directory or a bucket of your own in it. */
export const storeColumns = (): StoreColumn[] =>
  ofThisRun(everyStoreColumn(), ({ name }) => name === 'directory');

/** Pairs of queue and store, so that test:system has each of them in one; test:deep has every pair. */
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

/** Every queue that runs now, whatever the spec has had before. */
export function everyQueueColumn(databaseUrl?: string): QueueColumn[] {
  const redis = process.env['TEST_REDIS_URL'];
  const columns: QueueColumn[] = [{ name: 'postgres', queueUrl: databaseUrl }];
  if (redis !== undefined) columns.push({ name: 'redis', queueUrl: redis });
  return columns;
}

function everyStoreColumn(): StoreColumn[] {
  const endpoint = process.env['TEST_S3_ENDPOINT'];
  const accessKey = process.env['TEST_S3_ACCESS_KEY'];
  const secretKey = process.env['TEST_S3_SECRET_KEY'];
  const columns: StoreColumn[] = [{ name: 'directory' }];
  if (endpoint !== undefined && accessKey !== undefined && secretKey !== undefined) {
    columns.push({ name: 's3', endpoint, accessKey, secretKey });
  }
  return columns;
}
