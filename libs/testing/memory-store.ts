import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  assertKey,
  compareKeys,
  ObjectNotFoundError,
  type ByteRange,
  type ListedObject,
  type ObjectInfo,
  type ObjectStore,
  type PutOptions,
  type PutResult,
} from '#storage/object-store.js';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** In-memory object store, for tests that use the manuscript store without a disk. */
export class MemoryStore implements ObjectStore {
  private readonly objects = new Map<string, { bytes: Uint8Array; info: ObjectInfo }>();

  async put(key: string, body: Uint8Array | Readable, options: PutOptions = {}): Promise<PutResult> {
    assertKey(key);
    const bytes = body instanceof Uint8Array ? body : Buffer.concat(await body.toArray());
    const created = !(options.ifAbsent === true && this.objects.has(key));
    const hash = sha256(bytes);
    if (created) {
      const { contentType = 'application/octet-stream', metadata = {} } = options;
      const info = { key, size: bytes.length, lastModified: new Date(0), etag: hash, contentType, metadata };
      this.objects.set(key, { bytes, info });
    }
    return { created, size: bytes.length, sha256: hash };
  }

  async get(key: string, range?: ByteRange): Promise<Readable> {
    const bytes = await this.getBytes(key);
    return Readable.from([range ? bytes.subarray(range.start, (range.end ?? bytes.length) + 1) : bytes]);
  }

  async getBytes(key: string): Promise<Uint8Array> {
    const object = this.objects.get(key);
    if (!object) throw new ObjectNotFoundError(key);
    return object.bytes;
  }

  async head(key: string): Promise<ObjectInfo | null> {
    return this.objects.get(key)?.info ?? null;
  }

  async *list(prefix: string): AsyncIterable<ListedObject> {
    const keys = [...this.objects.keys()].filter((key) => key.startsWith(prefix)).sort(compareKeys);
    for (const key of keys) yield this.objects.get(key)!.info;
  }

  async delete(key: string): Promise<void> {
    this.objects.delete(key);
  }

  async deletePrefix(prefix: string): Promise<number> {
    const keys = [...this.objects.keys()].filter((key) => key.startsWith(prefix));
    for (const key of keys) this.objects.delete(key);
    return keys.length;
  }

  async copy(from: string, to: string): Promise<void> {
    const { contentType, metadata } = this.objects.get(from)?.info ?? {};
    await this.put(to, await this.getBytes(from), {
      ...(contentType ? { contentType } : {}),
      ...(metadata ? { metadata } : {}),
    });
  }

  async check(): Promise<void> {}
}
