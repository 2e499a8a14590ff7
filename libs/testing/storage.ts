import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StorageConfig } from '#storage/create-object-store.js';
import type { StoreColumn } from './columns.js';

/** A separate object store for one spec file. */
export interface TestStorage {
  /** Configuration for `createObjectStore` in the test's process. */
  config: StorageConfig;
  /** The same store as settings of an app: STORAGE_DIR, or S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY, S3_SECRET_KEY. */
  env: Record<string, string>;
  /** Removes the directory; a bucket is deleted with its server in jest's teardown. */
  drop(): Promise<void>;
}

/** Creates an empty directory, or a name for a new bucket, in the given column of `storeColumns()`. */
export async function createTestStorage(column: StoreColumn): Promise<TestStorage> {
  if (column.name === 'directory') {
    const root = await mkdtemp(join(tmpdir(), 'scriptorium-objects-'));
    return {
      config: { kind: 'directory', root },
      env: { STORAGE_DIR: root },
      drop: () => rm(root, { recursive: true, force: true }),
    };
  }
  const { endpoint, accessKey, secretKey } = column;
  const bucket = `test-${randomBytes(6).toString('hex')}`;
  return {
    config: { kind: 's3', endpoint, bucket, accessKey, secretKey },
    env: { S3_ENDPOINT: endpoint, S3_BUCKET: bucket, S3_ACCESS_KEY: accessKey, S3_SECRET_KEY: secretKey },
    drop: () => Promise.resolve(),
  };
}
