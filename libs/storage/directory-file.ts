import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { type Readable } from 'node:stream';
import { type ObjectInfo, type PutOptions, DEFAULT_CONTENT_TYPE, SizeMismatchError } from './object-store.js';

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
export async function writeObject(
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
export async function readAll(file: FileHandle, position: number, length: number): Promise<Uint8Array> {
  const bytes = Buffer.allocUnsafe(length);
  let done = 0;
  while (done < length) {
    const { bytesRead } = await file.read(bytes, done, length - done, position + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return bytes.subarray(0, done);
}

/** Reads an object's header; `offset` is the start of the content. */
export async function readHeader(
  file: FileHandle,
  key: string,
): Promise<{ info: ObjectInfo; offset: number }> {
  let head = Buffer.alloc(0);
  let newline = -1;
  for (let length = FIRST_READ; newline < 0; length *= 4) {
    const buffer = Buffer.alloc(length);
    const { bytesRead } = await file.read(buffer, 0, length, 0);
    head = buffer.subarray(0, bytesRead);
    newline = head.indexOf(0x0a);
    if (newline < 0 && bytesRead < length) throw new Error(`The file of object ${key} has no header`);
  }
  const header = JSON.parse(head.subarray(0, newline).toString('utf8')) as Header;
  const stats = await file.stat();
  const offset = newline + 1;
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
export async function openExisting(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, 'r');
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Returns whether an error means that a path, or a folder on it, does not exist. */
export function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');
}
