import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Client } from 'minio';
import {
  type PutOptions,
  type PutResult,
  DEFAULT_CONTENT_TYPE,
  SizeMismatchError,
  StorageUnavailableError,
} from './object-store.js';

/**
 * S3 requires at least 5 MiB per part; 10,000 parts of this size are 80 GiB. One part is in memory at a time.
 */
const PART_BYTES = 8 * 1024 * 1024;
const CONFLICT_ATTEMPTS = 5;

type Headers = Record<string, string>;

interface Part {
  number: number;
  etag: string;
}

/**
 * Uploads a body in one request if it fits into one part, otherwise in parts that become visible together at
 * the end. Does not use the client's `putObject`: it continues another writer's unfinished upload of the same
 * key, hangs if the body fails, and does not support create-if-absent.
 */
export async function upload(
  client: Client,
  bucket: string,
  key: string,
  body: Uint8Array | Readable,
  options: PutOptions,
): Promise<PutResult> {
  const target = { bucketName: bucket, objectName: key };
  const condition: Headers = options.ifAbsent ? { 'if-none-match': '*' } : {};
  const digest = new BodyDigest(key, options.size);
  const parts = inParts(body, digest);
  const first = await parts.next();
  const second = first.done ? first : await parts.next();
  const head = first.done ? Buffer.alloc(0) : first.value;
  if (second.done) {
    const result = digest.finish();
    const headers = { ...objectHeaders(options), ...condition };
    const created = await unlessPresent(() => send(client, { ...target, method: 'PUT', headers }, head));
    return { created, ...result };
  }
  const uploadId = await client.initiateNewMultipartUpload(bucket, key, objectHeaders(options));
  try {
    const sent: Part[] = [];
    const rest = (async function* () {
      yield head;
      yield second.value;
      yield* parts;
    })();
    for await (const bytes of rest) {
      const number = sent.length + 1;
      const query = `partNumber=${number}&uploadId=${encodeURIComponent(uploadId)}`;
      const etag = await send(client, { ...target, method: 'PUT', query, headers: {} }, bytes);
      sent.push({ number, etag });
    }
    const result = digest.finish();
    const query = `uploadId=${encodeURIComponent(uploadId)}`;
    const request = { ...target, method: 'POST', query, headers: condition };
    const created = await unlessPresent(() => complete(client, request, sent));
    if (!created) await client.abortMultipartUpload(bucket, key, uploadId);
    return { created, ...result };
  } catch (error) {
    await client.abortMultipartUpload(bucket, key, uploadId).catch(() => undefined);
    throw error;
  }
}

/** Computes the size and hash of a streamed body. */
class BodyDigest {
  private readonly hash = createHash('sha256');
  private size = 0;

  constructor(
    private readonly key: string,
    private readonly expected: number | undefined,
  ) {}

  add(bytes: Uint8Array): void {
    this.hash.update(bytes);
    this.size += bytes.length;
  }

  /** @throws SizeMismatchError */
  finish(): { size: number; sha256: string } {
    if (this.expected !== undefined && this.expected !== this.size) {
      throw new SizeMismatchError(this.key, this.expected, this.size);
    }
    return { size: this.size, sha256: this.hash.digest('hex') };
  }
}

async function* inParts(body: Uint8Array | Readable, digest: BodyDigest): AsyncGenerator<Buffer> {
  let pending: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body instanceof Uint8Array ? slices(body) : body) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : (chunk as Uint8Array);
    digest.add(bytes);
    pending.push(bytes);
    length += bytes.length;
    while (length >= PART_BYTES) {
      const joined = Buffer.concat(pending, length);
      yield joined.subarray(0, PART_BYTES);
      pending = [joined.subarray(PART_BYTES)];
      length -= PART_BYTES;
    }
  }
  if (length > 0) yield Buffer.concat(pending, length);
}

function* slices(body: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < body.length; at += PART_BYTES) yield body.subarray(at, at + PART_BYTES);
}

function objectHeaders(options: PutOptions): Headers {
  const metadata = Object.entries(options.metadata ?? {});
  return {
    'content-type': options.contentType ?? DEFAULT_CONTENT_TYPE,
    // Header values must be ASCII; metadata is any text.
    ...Object.fromEntries(metadata.map(([name, value]) => [`x-amz-meta-${name}`, encodeURIComponent(value)])),
  };
}

interface Request {
  bucketName: string;
  objectName: string;
  method: string;
  query?: string;
  headers: Headers;
}

/** @returns the ETag */
async function send(client: Client, request: Request, bytes: Buffer): Promise<string> {
  const headers = { ...request.headers, 'content-length': String(bytes.length) };
  const response = await client.makeRequestAsync({ ...request, headers }, bytes);
  await text(response);
  return response.headers.etag ?? '';
}

async function complete(client: Client, request: Request, parts: Part[]): Promise<string> {
  const items = parts.map(
    ({ number, etag }) => `<Part><PartNumber>${number}</PartNumber><ETag>${etag}</ETag></Part>`,
  );
  const xml = `<CompleteMultipartUpload>${items.join('')}</CompleteMultipartUpload>`;
  const response = await client.makeRequestAsync(request, xml);
  const answer = await text(response);
  // The server may detect an error only after it has sent status 200.
  if (answer.includes('<Error>')) {
    throw new StorageUnavailableError(`The upload of ${request.objectName} failed: ${answer}`);
  }
  return answer;
}

/** @returns false if the server says that the object exists */
async function unlessPresent(attempt: () => Promise<unknown>): Promise<boolean> {
  for (let count = 1; ; count += 1) {
    try {
      await attempt();
      return true;
    } catch (error) {
      const { code } = error as { code?: string };
      if (code === 'PreconditionFailed') return false;
      // Another writer is creating the object: the next attempt returns the outcome.
      if (code !== 'ConditionalRequestConflict' || count === CONFLICT_ATTEMPTS) throw error;
    }
  }
}
