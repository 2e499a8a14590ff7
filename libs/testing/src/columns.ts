/** The backends a test runs on. jest's global set-up starts what is installed and says what is not. */

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
 * For `describe.each(queueColumns())`.
 *
 * @param databaseUrl the test's database, when it is known; else set QUEUE_URL to it for the column `postgres`
 */
export function queueColumns(databaseUrl?: string): QueueColumn[] {
  const redis = process.env['TEST_REDIS_URL'];
  const columns: QueueColumn[] = [{ name: 'postgres', queueUrl: databaseUrl }];
  if (redis !== undefined) columns.push({ name: 'redis', queueUrl: redis });
  return columns;
}

/** For `describe.each(storeColumns())`. Make a directory or a bucket of your own in it. */
export function storeColumns(): StoreColumn[] {
  const endpoint = process.env['TEST_S3_ENDPOINT'];
  const accessKey = process.env['TEST_S3_ACCESS_KEY'];
  const secretKey = process.env['TEST_S3_SECRET_KEY'];
  const columns: StoreColumn[] = [{ name: 'directory' }];
  if (endpoint !== undefined && accessKey !== undefined && secretKey !== undefined) {
    columns.push({ name: 's3', endpoint, accessKey, secretKey });
  }
  return columns;
}
