import { randomUUID } from 'node:crypto';
import { link, mkdir, open, readdir, rename, rm, rmdir, stat, unlink } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { Readable } from 'node:stream';
import { isMissing, openExisting, readAll, readHeader, writeObject } from './directory-file.js';
import { keyToPath, pathToKey, prefixToFolder } from './directory-keys.js';
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
      const { info, offset } = await readHeader(file, key);
      return await readAll(file, offset, info.size);
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
