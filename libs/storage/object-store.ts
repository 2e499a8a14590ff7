import type { Readable } from 'node:stream';

/** Entry of a listing; S3 listings contain nothing else. */
export interface ListedObject {
  key: string;
  /** Bytes. */
  size: number;
  lastModified: Date;
  /** Changes whenever the content changes. */
  etag: string;
}

export interface ObjectInfo extends ListedObject {
  contentType: string;
  metadata: Record<string, string>;
}

export interface PutOptions {
  /** Default: `application/octet-stream`. */
  contentType?: string;
  /** Names consist of `a-z 0-9 _ -`; values are any text. */
  metadata?: Record<string, string>;
  /** Leave an existing object unchanged; of several concurrent writers, only one creates it. */
  ifAbsent?: boolean;
  /** Required size of the body in bytes; nothing is stored if the body has another size. */
  size?: number;
}

export interface PutResult {
  /** False only with `ifAbsent`, if the object existed. */
  created: boolean;
  /** Bytes of the body. */
  size: number;
  /** SHA-256 of the body, hex. */
  sha256: string;
}

/**
 * Storage for bytes. An object appears complete or not at all, is replaced as a whole, and is visible to
 * every process once `put` has returned. The server makes keys (see `assertKey`), never from user input. A
 * key must not be the folder of another one (`a` and `a/b`), because not every S3 server lists keys below an
 * object. Errors other than the documented ones reject with StorageUnavailableError.
 */
export interface ObjectStore {
  /**
   * Stores a body, which is always read to its end. If the body fails, stores nothing and rejects with its
   * error.
   */
  put(key: string, body: Uint8Array | Readable, options?: PutOptions): Promise<PutResult>;
  /**
   * @param range bytes `start` to `end`, zero-based and inclusive; bytes past the end of the object are
   *   ignored
   * @throws ObjectNotFoundError
   */
  get(key: string, range?: ByteRange): Promise<Readable>;
  /** @throws ObjectNotFoundError */
  getBytes(key: string): Promise<Uint8Array>;
  head(key: string): Promise<ObjectInfo | null>;
  /** Lists every object whose key begins with `prefix`, in ascending order of the keys' UTF-8 bytes. */
  list(prefix: string): AsyncIterable<ListedObject>;
  /** Deletes an object; no-op if missing. */
  delete(key: string): Promise<void>;
  /**
   * @param prefix ends with `/`, so that `a/1` never includes `a/10`
   * @returns the number of objects removed
   */
  deletePrefix(prefix: string): Promise<number>;
  /** Copies content, content type and metadata. @throws ObjectNotFoundError */
  copy(from: string, to: string): Promise<void>;
  /** Resolves if the store is writable. @throws StorageUnavailableError that says what is wrong */
  check(): Promise<void>;
}

export interface ByteRange {
  start: number;
  end?: number;
}

export class ObjectNotFoundError extends Error {
  override readonly name = 'ObjectNotFoundError';
  constructor(readonly key: string) {
    super(`Object ${key} does not exist`);
  }
}

export class InvalidKeyError extends Error {
  override readonly name = 'InvalidKeyError';
}

/** The store itself failed. The error is unrelated to the object or its content; a retry may succeed. */
export class StorageUnavailableError extends Error {
  override readonly name = 'StorageUnavailableError';
  readonly code = 'storage_unavailable';
}

export const DEFAULT_CONTENT_TYPE = 'application/octet-stream';

const MAX_KEY_BYTES = 1024;
const MAX_SEGMENT_BYTES = 255;

/**
 * Checks a key. It consists of segments joined by `/`, none of them empty, `.` or `..`. It contains no
 * backslash and no control character. A segment has at most 255 bytes (UTF-8), the whole key 1,024.
 *
 * @throws InvalidKeyError
 */
export function assertKey(key: string): void {
  const reason = whyInvalid(key);
  if (reason !== undefined) throw new InvalidKeyError(`Object key ${JSON.stringify(key)} ${reason}`);
}

/** Checks a listing prefix: the beginning of a valid key, or '' for everything. */
export function assertPrefix(prefix: string): void {
  if (prefix !== '') assertKey(prefix.endsWith('/') ? prefix.slice(0, -1) : prefix);
}

/** Checks the prefix of a removal: it must consist of whole segments and not be empty. */
export function assertFolder(prefix: string): void {
  if (!prefix.endsWith('/')) throw new InvalidKeyError(`Prefix ${JSON.stringify(prefix)} must end with "/"`);
  assertKey(prefix.slice(0, -1));
}

function whyInvalid(key: string): string | undefined {
  if (/[\u0000-\u001f\u007f\\]/.test(key)) return 'contains a control character or a backslash';
  // A lone surrogate becomes another character in UTF-8.
  if (Buffer.from(key).toString() !== key) return 'is not well-formed Unicode';
  if (Buffer.byteLength(key) > MAX_KEY_BYTES) return `is longer than ${MAX_KEY_BYTES} bytes`;
  for (const segment of key.split('/')) {
    if (segment === '' || segment === '.' || segment === '..')
      return 'contains an empty, "." or ".." segment';
    if (Buffer.byteLength(segment) > MAX_SEGMENT_BYTES) return 'contains a segment longer than 255 bytes';
  }
  return undefined;
}

/** Checks metadata names, which are sent as HTTP header names. @throws InvalidKeyError */
export function assertMetadata(metadata: Record<string, string>): void {
  const wrong = Object.keys(metadata).find((name) => !/^[a-z0-9_-]+$/.test(name));
  if (wrong !== undefined) {
    throw new InvalidKeyError(
      `Metadata name ${JSON.stringify(wrong)} may only contain a-z, 0-9, "_" and "-"`,
    );
  }
}

/** The size of a body differs from the announced size. */
export class SizeMismatchError extends Error {
  override readonly name = 'SizeMismatchError';
  constructor(key: string, expected: number, actual: number) {
    super(`The body of ${key} has ${actual} bytes instead of ${expected}; nothing was stored`);
  }
}

/** Orders keys as S3 does, by their UTF-8 bytes. */
export function compareKeys(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
