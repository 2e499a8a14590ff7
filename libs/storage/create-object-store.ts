import { DirectoryStore } from './directory-store.js';
import type { ObjectStore } from './object-store.js';
import { type S3Config, S3Store } from './s3-store.js';
import { withStorageErrors } from './storage-errors.js';

export type StorageConfig = { kind: 'directory'; root: string } | ({ kind: 's3' } & S3Config);

/** Returns the configured store. It opens or connects to nothing before its first use. */
export function createObjectStore(config: StorageConfig): ObjectStore {
  return withStorageErrors(
    config.kind === 'directory' ? new DirectoryStore(config.root) : new S3Store(config),
  );
}
