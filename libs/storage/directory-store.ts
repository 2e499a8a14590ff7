import { randomUUID, createHash } from 'node:crypto';
import {
  link,
  mkdir,
  open,
  readdir,
  rename,
  rm,
  rmdir,
  stat,
  unlink,
  type FileHandle,
} from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { Readable } from 'node:stream';
import {
  type ByteRange,
  type ListedObject,
  type ObjectInfo,
  type ObjectStore,
  type PutOptions,
  type PutResult,
  ObjectNotFoundError,
  StorageUnavailableError,
  assertFolder,
  assertKey,
  assertMetadata,
  assertPrefix,
  compareKeys,
  DEFAULT_CONTENT_TYPE,
  SizeMismatchError,
} from './object-store.js';

/** Folder of files being written. No key maps to this name, because a leading dot would be encoded. */
const TEMPORARY = '.tmp';
const STALE_MS = 24 * 60 * 60 * 1000;
const PLACE_ATTEMPTS = 10;

/** ObjectStore in a directory, safe for any number of processes that share the file system. */
export class DirectoryStore implements ObjectStore {
  private readonly root: string;
  private swept: Promise<void> | undefined;

  /** @param root created at the first write */
  constructor(root: string) {
    this.root = resolve(root);
  }

  async put(key: string, body: Uint8Array | Readable, options: PutOptions = {}): Promise<PutResult> {
    const target = this.path(key);
    assertMetadata(options.metadata ?? {});
    this.swept ??= this.sweep().catch((error: unknown) => {
      // Let the next call try again.
      this.swept = undefined;
      throw error;
    });
    await this.swept;
    const temporary = join(this.root, TEMPORARY, randomUUID());
    const file = await open(temporary, 'wx', 0o600);
    const ifAbsent = options.ifAbsent ?? false;
    let created = false;
    try {
      const written = await writeObject(file, key, body, options).finally(() => file.close());
      created = await this.place(temporary, target, ifAbsent);
      return { created, ...written };
    } finally {
      // A renamed file no longer exists.
      if (ifAbsent || !created) await rm(temporary, { force: true });
    }
  }

  async get(key: string, range?: ByteRange): Promise<Readable> {
    const file = await openExisting(this.path(key));
    if (file === null) throw new ObjectNotFoundError(key);
    try {
      const { info, offset } = await readHeader(file, key);
      const last = Math.min(range?.end ?? Infinity, info.size - 1);
      const start = range?.start ?? 0;
      if (start > last) {
        await file.close();
        return Readable.from([]);
      }
      // An open file keeps its content even if the object is replaced or removed.
      return file.createReadStream({ start: offset + start, end: offset + last });
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  async getBytes(key: string): Promise<Uint8Array> {
    const file = await openExisting(this.path(key));
    if (file === null) throw new ObjectNotFoundError(key);
    try {
      const { bytes, offset, isComplete } = await readBeginning(file, key);
      if (isComplete) return bytes.subarray(offset);
      return await readAll(file, offset, (await file.stat()).size - offset);
    } finally {
      await file.close();
    }
  }

  async head(key: string): Promise<ObjectInfo | null> {
    const file = await openExisting(this.path(key));
    if (file === null) return null;
    return readHeader(file, key)
      .then(({ info }) => info)
      .finally(() => file.close());
  }

  async *list(prefix: string): AsyncGenerator<ListedObject> {
    assertPrefix(prefix);
    for (const key of await this.keys(prefix)) {
      // Skip objects that were removed after the folder was read.
      const info = await this.head(key);
      if (info === null) continue;
      yield { key, size: info.size, lastModified: info.lastModified, etag: info.etag };
    }
  }

  async delete(key: string): Promise<void> {
    const path = this.path(key);
    await unlink(path).catch(ignoreMissing);
    await this.prune(dirname(path));
  }

  async deletePrefix(prefix: string): Promise<number> {
    assertFolder(prefix);
    const keys = await this.keys(prefix);
    for (const key of keys) await this.delete(key);
    return keys.length;
  }

  async copy(from: string, to: string): Promise<void> {
    const info = await this.head(from);
    if (info === null) throw new ObjectNotFoundError(from);
    assertKey(to);
    await this.put(to, await this.get(from), { contentType: info.contentType, metadata: info.metadata });
  }

  async check(): Promise<void> {
    try {
      await this.sweep();
      const probe = join(this.root, TEMPORARY, randomUUID());
      await open(probe, 'wx').then((file) => file.close());
      await unlink(probe);
    } catch (error) {
      const message = `The object store ${this.root} is not writable: ${String(error)}`;
      throw new StorageUnavailableError(message, { cause: error });
    }
  }

  private path(key: string): string {
    assertKey(key);
    return join(this.root, keyToPath(key));
  }

  /** Gives the complete temporary file its name; `rename` replaces an existing file, `link` does not. */
  private async place(temporary: string, target: string, ifAbsent: boolean): Promise<boolean> {
    const folder = dirname(target);
    for (let attempt = 1; ; attempt += 1) {
      try {
        await (ifAbsent ? link(temporary, target) : rename(temporary, target));
        await syncFolder(folder);
        return true;
      } catch (error) {
        if (ifAbsent && (error as NodeJS.ErrnoException).code === 'EEXIST') return false;
        // The folder is new, or a concurrent delete removed it with its last object.
        if (!isMissing(error) || attempt === PLACE_ATTEMPTS) throw error;
        await mkdir(folder, { recursive: true, mode: 0o700 });
      }
    }
  }

  private async keys(prefix: string): Promise<string[]> {
    const folder = join(this.root, prefixToFolder(prefix));
    const keys: string[] = [];
    for await (const path of walk(folder)) {
      const key = pathToKey(relative(this.root, path).split(sep).join('/'));
      if (key?.startsWith(prefix)) keys.push(key);
    }
    return keys.sort(compareKeys);
  }

  /** Removes empty folders upwards, below the root. */
  private async prune(folder: string): Promise<void> {
    for (let path = folder; path.startsWith(`${this.root}${sep}`); path = dirname(path)) {
      const removed = await rmdir(path).then(
        () => true,
        () => false,
      );
      if (!removed) return;
    }
  }

  /** Creates the folder for temporary files and removes old files of killed processes. */
  private async sweep(): Promise<void> {
    const folder = join(this.root, TEMPORARY);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    for (const name of await readdir(folder)) {
      const path = join(folder, name);
      const info = await stat(path).catch(() => undefined);
      if (info !== undefined && Date.now() - info.mtimeMs > STALE_MS) await rm(path, { force: true });
    }
  }
}

/** Yields the files below a folder; a folder that disappears counts as empty. */
async function* walk(folder: string): AsyncGenerator<string> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  for (const entry of entries) {
    if (entry.name === TEMPORARY) continue;
    if (entry.isDirectory()) yield* walk(join(folder, entry.name));
    else yield join(folder, entry.name);
  }
}

/** Makes a new name survive a power failure, where the system can sync folders. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

function ignoreMissing(error: unknown): void {
  if (!isMissing(error)) throw error;
}

/**
 * Header of an object's file: one JSON line with the hash, the content type and the metadata. The content
 * follows in the same file, so that content and metadata appear together.
 */
interface Header {
  sha256: string;
  content_type: string;
  metadata: Record<string, string>;
}

const FIRST_READ = 4096;
const NO_HASH = '0'.repeat(64);

/** Writes a body with its header into an open file and flushes it to disk. */
async function writeObject(
  file: FileHandle,
  key: string,
  body: Uint8Array | Readable,
  options: PutOptions,
): Promise<{ size: number; sha256: string }> {
  const header = (sha256: string): Buffer => {
    const fields: Header = {
      sha256,
      content_type: options.contentType ?? DEFAULT_CONTENT_TYPE,
      metadata: options.metadata ?? {},
    };
    return Buffer.from(`${JSON.stringify(fields)}\n`);
  };
  // The hash of a stream is known only at its end: write zeros of the same length first.
  const known = body instanceof Uint8Array ? createHash('sha256').update(body).digest('hex') : undefined;
  const start = header(NO_HASH).length;
  await file.write(header(known ?? NO_HASH), 0, undefined, 0);
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of body instanceof Uint8Array ? [body] : body) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : (chunk as Uint8Array);
    if (known === undefined) hash.update(bytes);
    await writeAll(file, bytes, start + size);
    size += bytes.length;
  }
  if (options.size !== undefined && options.size !== size) {
    throw new SizeMismatchError(key, options.size, size);
  }
  const sha256 = known ?? hash.digest('hex');
  if (known === undefined) await file.write(header(sha256), 0, undefined, 0);
  await file.sync();
  return { size, sha256 };
}

async function writeAll(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  let done = 0;
  while (done < bytes.length) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}

/** Reads bytes from a position in a file; fewer if the file ends earlier. */
async function readAll(file: FileHandle, position: number, length: number): Promise<Uint8Array> {
  const bytes = Buffer.allocUnsafe(length);
  let done = 0;
  while (done < length) {
    const { bytesRead } = await file.read(bytes, done, length - done, position + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return bytes.subarray(0, done);
}

/** Beginning of an object's file: the content starts at `offset`, and may end there as well. */
interface Beginning {
  bytes: Buffer;
  offset: number;
  isComplete: boolean;
}

async function readBeginning(file: FileHandle, key: string): Promise<Beginning> {
  for (let length = FIRST_READ; ; length *= 4) {
    const buffer = Buffer.alloc(length);
    const { bytesRead } = await file.read(buffer, 0, length, 0);
    const bytes = buffer.subarray(0, bytesRead);
    const offset = bytes.indexOf(0x0a) + 1;
    const isComplete = bytesRead < length;
    if (offset > 0) return { bytes, offset, isComplete };
    if (isComplete) throw new Error(`The file of object ${key} has no header`);
  }
}

/** Reads an object's header; `offset` is the start of the content. */
async function readHeader(file: FileHandle, key: string): Promise<{ info: ObjectInfo; offset: number }> {
  const { bytes, offset } = await readBeginning(file, key);
  const header = JSON.parse(bytes.toString('utf8', 0, offset)) as Header;
  const stats = await file.stat();
  const info = {
    key,
    size: stats.size - offset,
    contentType: header.content_type,
    metadata: header.metadata,
    lastModified: stats.mtime,
    etag: header.sha256,
  };
  return { info, offset };
}

/** Opens a file for reading; null if it does not exist. */
async function openExisting(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, 'r');
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Returns whether an error means that a path, or a folder on it, does not exist. */
function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');
}

/**
 * Encodes keys as file names. Reversible, and safe on file systems that ignore case, limit names to 255 bytes
 * or reserve some names: capitals become `^a`, other characters `%xx`, and a long segment is split into
 * folders ending in `+`. An object's file ends in `@`, so that `a` and `a/b` can both exist.
 */

const MAX_NAME = 200;

/** Returns the path of a key's file, relative to the store's root and with `/`. */
export function keyToPath(key: string): string {
  return `${key.split('/').map(encodeSegment).join('/')}@`;
}

/** Returns the folder of the keys that begin with `prefix` up to its last `/`. */
function prefixToFolder(prefix: string): string {
  const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1);
  return folder === '' ? '' : folder.slice(0, -1).split('/').map(encodeSegment).join('/');
}

/** Returns the key of an object's file; undefined if the file is not an object. */
export function pathToKey(path: string): string | undefined {
  if (!path.endsWith('@')) return undefined;
  const joined = path.slice(0, -1).replaceAll('+/', '');
  const bytes = joined
    .replace(/\^([a-z])/g, (_match, letter: string) => letter.toUpperCase())
    .replace(/(?:%[0-9a-f]{2})+/g, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'));
  return bytes;
}

function encodeSegment(segment: string): string {
  const units = [...segment].map((char, index, all) => {
    if (/[A-Z]/.test(char)) return `^${char.toLowerCase()}`;
    // A leading dot hides a file; some systems drop a trailing dot.
    const plain = /[a-z0-9_-]/.test(char) || (char === '.' && index > 0 && index < all.length - 1);
    return plain ? char : Buffer.from(char).toString('hex').replace(/../g, '%$&');
  });
  const names = [''];
  for (const unit of units) {
    const last = names.at(-1) ?? '';
    if (last.length + unit.length > MAX_NAME) names.push(unit);
    else names[names.length - 1] = last + unit;
  }
  return names.join('+/');
}
