/** The backends a test runs on. jest's global set-up starts what is installed and says what is not. */
import { chosen } from './chosen.js';

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
 * Without those that a jest run before this one had, on a machine without Redis and S3 (`.ci/run`), when SCRIPTORIUM_TEST_COLUMNS says `further`.
 *
 * @throws Error when it says anything else
 */
function ofThisRun<T>(columns: T[], isPlain: (column: T) => boolean): T[] {
  const which = chosen('SCRIPTORIUM_TEST_COLUMNS', ['all', 'further']);
  return which === 'all' ? columns : columns.filter((column) => !isPlain(column));
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

/** Every pair of queue and store. */
export const columnPairs = (): { queue: QueueColumn; store: StoreColumn }[] =>
  ofThisRun(
    everyQueueColumn().flatMap((queue) => everyStoreColumn().map((store) => ({ queue, store }))),
    ({ queue, store }) => queue.name === 'postgres' && store.name === 'directory',
  );

/** As `queueColumns`, for what runs at full depth only and so was in no run before. */
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
