import type { Agent } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { BucketItem, BucketItemStat, Client } from 'minio';
import {
  type ByteRange,
  type ListedObject,
  type ObjectInfo,
  type ObjectStore,
  type PutOptions,
  type PutResult,
  DEFAULT_CONTENT_TYPE,
  ObjectNotFoundError,
  StorageUnavailableError,
  assertFolder,
  assertKey,
  assertMetadata,
  assertPrefix,
} from './object-store.js';
import { upload } from './s3-upload.js';
import { describeFailure } from './storage-errors.js';

export interface S3Config {
  /** Such as `https://s3.example.org:9000`. */
  endpoint: string;
  /** Default: `us-east-1`. */
  region?: string;
  /** Created if missing. */
  bucket: string;
  accessKey: string;
  secretKey: string;
}

const MISSING = new Set(['NoSuchKey', 'NotFound']);
const DELETE_BATCH = 1_000;

/** ObjectStore in a bucket of any S3 server. Connects at its first use. */
export class S3Store implements ObjectStore {
  private readonly bucket: string;
  private ready: Promise<Client> | undefined;

  constructor(private readonly config: S3Config) {
    this.bucket = config.bucket;
  }

  async put(key: string, body: Uint8Array | Readable, options: PutOptions = {}): Promise<PutResult> {
    assertKey(key);
    assertMetadata(options.metadata ?? {});
    return upload(await this.connect(), this.bucket, key, body, options);
  }

  async get(key: string, range?: ByteRange): Promise<Readable> {
    assertKey(key);
    const client = await this.connect();
    const start = range?.start ?? 0;
    // Length 0 means up to the end.
    const length = range?.end === undefined ? 0 : range.end - start + 1;
    if (range?.end !== undefined && length <= 0) return this.emptyIfPresent(key);
    try {
      return start === 0 && length === 0
        ? await client.getObject(this.bucket, key)
        : await client.getPartialObject(this.bucket, key, start, length);
    } catch (error) {
      if (codeOf(error) === 'InvalidRange') return Readable.from([]);
      throw asNotFound(error, key);
    }
  }

  async getBytes(key: string): Promise<Uint8Array> {
    return buffer(await this.get(key));
  }

  async head(key: string): Promise<ObjectInfo | null> {
    assertKey(key);
    const client = await this.connect();
    try {
      return toInfo(key, await client.statObject(this.bucket, key));
    } catch (error) {
      if (MISSING.has(codeOf(error))) return null;
      throw error;
    }
  }

  async *list(prefix: string): AsyncGenerator<ListedObject> {
    assertPrefix(prefix);
    const client = await this.connect();
    const items = client.listObjectsV2(this.bucket, prefix, true) as AsyncIterable<BucketItem>;
    for await (const item of items) {
      if (item.name === undefined) continue;
      yield { key: item.name, size: item.size, lastModified: item.lastModified, etag: item.etag };
    }
  }

  async delete(key: string): Promise<void> {
    assertKey(key);
    const client = await this.connect();
    await client.removeObject(this.bucket, key);
  }

  async deletePrefix(prefix: string): Promise<number> {
    assertFolder(prefix);
    let removed = 0;
    let batch: string[] = [];
    const flush = async () => {
      const client = await this.connect();
      const failed = await client.removeObjects(this.bucket, batch);
      const error = failed.find((answer) => answer?.Error !== undefined)?.Error;
      if (error !== undefined)
        throw new StorageUnavailableError(`Deleting ${error.Key ?? prefix} failed: ${error.Message ?? ''}`);
      removed += batch.length;
      batch = [];
    };
    for await (const { key } of this.list(prefix)) {
      batch.push(key);
      if (batch.length === DELETE_BATCH) await flush();
    }
    if (batch.length > 0) await flush();
    return removed;
  }

  async copy(from: string, to: string): Promise<void> {
    assertKey(from);
    assertKey(to);
    const client = await this.connect();
    try {
      await client.copyObject(this.bucket, to, `/${this.bucket}/${from}`);
    } catch (error) {
      throw asNotFound(error, from);
    }
  }

  async check(): Promise<void> {
    this.ready = undefined;
    await this.connect();
  }

  private async emptyIfPresent(key: string): Promise<Readable> {
    if ((await this.head(key)) === null) throw new ObjectNotFoundError(key);
    return Readable.from([]);
  }

  private connect(): Promise<Client> {
    this.ready ??= this.ensureBucket().catch((error: unknown) => {
      // Let the next call try again.
      this.ready = undefined;
      const { endpoint, bucket } = this.config;
      const message = `Bucket ${bucket} at ${endpoint} is not usable: ${describeFailure(error)}`;
      throw new StorageUnavailableError(message, { cause: error });
    });
    return this.ready;
  }

  private async ensureBucket(): Promise<Client> {
    const client = await createClient(this.config);
    if (await client.bucketExists(this.bucket)) return client;
    try {
      await client.makeBucket(this.bucket, this.config.region ?? 'us-east-1');
    } catch (error) {
      // Another process created it first.
      if (codeOf(error) !== 'BucketAlreadyOwnedByYou') throw error;
    }
    return client;
  }
}

/**
 * Creates the client; imports it here, so that a process without S3 does not load it.
 *
 * @param transportAgent for its connections; requests are not repeated then
 */
export async function createClient(
  { endpoint, region, accessKey, secretKey }: S3Config,
  transportAgent?: Agent,
): Promise<Client> {
  const { Client } = await import('minio');
  const url = new URL(endpoint);
  return new Client({
    endPoint: url.hostname,
    port: url.port === '' ? undefined : Number(url.port),
    useSSL: url.protocol === 'https:',
    region: region ?? 'us-east-1',
    accessKey,
    secretKey,
    ...(transportAgent && { transportAgent, retryOptions: { disableRetry: true } }),
  });
}

function toInfo(key: string, stat: BucketItemStat): ObjectInfo {
  const fields = stat.metaData as Record<string, string>;
  const { 'content-type': contentType, ...rest } = fields;
  const metadata = Object.entries(rest)
    .filter(([name]) => !HTTP_HEADERS.has(name))
    .map(([name, value]): [string, string] => [name, decodeURIComponent(value)]);
  return {
    key,
    size: stat.size,
    contentType: contentType ?? DEFAULT_CONTENT_TYPE,
    metadata: Object.fromEntries(metadata),
    lastModified: stat.lastModified,
    etag: stat.etag,
  };
}

/** Headers that the client mixes into the object's metadata. */
const HTTP_HEADERS = new Set([
  'cache-control',
  'content-encoding',
  'content-disposition',
  'content-language',
]);

function codeOf(error: unknown): string {
  return (error as { code?: string }).code ?? '';
}

function asNotFound(error: unknown, key: string): unknown {
  return MISSING.has(codeOf(error)) ? new ObjectNotFoundError(key) : error;
}
