import type { Readable } from 'node:stream';

/** What a listing tells of an object; S3 listings know no more. */
export interface ListedObject {
  key: string;
  /** Bytes. */
  size: number;
  lastModified: Date;
  /** Changes whenever the content is replaced by another. */
  etag: string;
}

export interface ObjectInfo extends ListedObject {
  contentType: string;
  metadata: Record<string, string>;
}

export interface PutOptions {
  /** `application/octet-stream` by default. */
  contentType?: string;
  /** Names of `a-z 0-9 _ -`; values are any text. */
  metadata?: Record<string, string>;
  /** Leave an object that exists alone; of several racers one creates it. */
  ifAbsent?: boolean;
  /** Bytes the body must have; a body cut short then stores nothing. */
  size?: number;
}

export interface PutResult {
  /** False only with `ifAbsent`, when the object was there already. */
  created: boolean;
  /** Bytes of the given body. */
  size: number;
  /** SHA-256 of the given body, hex. */
  sha256: string;
}

/**
 * Where the bytes lie. An object appears complete or not at all, is replaced as a whole, and is visible to every
 * process once `put` has returned. Keys are made by the server (see `assertKey`), never taken from user input; a key is
 * not the folder of another one (`a` and `a/b`): not every S3 server lists what lies below an object. Whatever fails for another reason than the
 * ones given rejects with StorageUnavailableError.
 */
export interface ObjectStore {
  /** Stores a body; it is always read to its end. A body that fails stores nothing and rejects with its error. */
  put(key: string, body: Uint8Array | Readable, options?: PutOptions): Promise<PutResult>;
  /**
   * @param range bytes `start` to `end`, both included and from 0; past the end of the object nothing comes
   * @throws ObjectNotFoundError
   */
  get(key: string, range?: ByteRange): Promise<Readable>;
  /** @throws ObjectNotFoundError */
  getBytes(key: string): Promise<Uint8Array>;
  head(key: string): Promise<ObjectInfo | null>;
  /** Every object whose key begins with `prefix`, in ascending order of the keys' UTF-8 bytes. */
  list(prefix: string): AsyncIterable<ListedObject>;
  /** Removing what is not there is no error. */
  delete(key: string): Promise<void>;
  /**
   * @param prefix ends with `/`, so that `a/1` never takes `a/10` along
   * @returns how many objects were removed
   */
  deletePrefix(prefix: string): Promise<number>;
  /** Copies content, content type and metadata. @throws ObjectNotFoundError */
  copy(from: string, to: string): Promise<void>;
  /** Resolves when the store can be written to. @throws StorageUnavailableError that says what is wrong */
  check(): Promise<void>;
}

export interface ByteRange {
  start: number;
  end?: number;
}

export class ObjectNotFoundError extends Error {
  override readonly name = 'ObjectNotFoundError';
  constructor(readonly key: string) {
    super(`There is no object ${key}`);
  }
}

export class InvalidKeyError extends Error {
  override readonly name = 'InvalidKeyError';
}

/** The store itself failed: it says nothing about the object or its content, and the same may succeed later. */
export class StorageUnavailableError extends Error {
  override readonly name = 'StorageUnavailableError';
  readonly code = 'storage_unavailable';
}

export const DEFAULT_CONTENT_TYPE = 'application/octet-stream';

const MAX_KEY_BYTES = 1024;
const MAX_SEGMENT_BYTES = 255;

/**
 * Checks a key: segments joined by `/`, none of them empty, `.` or `..`; no backslash, no control character;
 * at most 255 bytes (UTF-8) a segment and 1,024 in all.
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

/** Checks the prefix of a removal: whole segments, and never everything. */
export function assertFolder(prefix: string): void {
  if (!prefix.endsWith('/')) throw new InvalidKeyError(`Prefix ${JSON.stringify(prefix)} must end with "/"`);
  assertKey(prefix.slice(0, -1));
}

function whyInvalid(key: string): string | undefined {
  if (/[\u0000-\u001f\u007f\\]/.test(key)) return 'holds a control character or a backslash';
  // A lone surrogate becomes another character in UTF-8.
  if (Buffer.from(key).toString() !== key) return 'is not well-formed Unicode';
  if (Buffer.byteLength(key) > MAX_KEY_BYTES) return `is longer than ${MAX_KEY_BYTES} bytes`;
  for (const segment of key.split('/')) {
    if (segment === '' || segment === '.' || segment === '..') return 'holds an empty, "." or ".." segment';
    if (Buffer.byteLength(segment) > MAX_SEGMENT_BYTES) return 'holds a segment longer than 255 bytes';
  }
  return undefined;
}

/** Checks metadata names, which travel as HTTP header names. @throws InvalidKeyError */
export function assertMetadata(metadata: Record<string, string>): void {
  const wrong = Object.keys(metadata).find((name) => !/^[a-z0-9_-]+$/.test(name));
  if (wrong !== undefined) {
    throw new InvalidKeyError(`Metadata name ${JSON.stringify(wrong)} may hold a-z, 0-9, "_" and "-" only`);
  }
}

/** A body did not have the size it was announced with. */
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
