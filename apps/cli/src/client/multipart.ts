import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';

/** One part of multipart/form-data: a plain value, or a file that is read while it is sent. */
export type Part = { name: string; value: string } | { name: string; filename: string; path: string };

export interface MultipartBody {
  contentType: string;
  body: AsyncGenerator<Uint8Array>;
}

/** A multipart/form-data body (RFC 7578) that holds no file in memory; names go as UTF-8, quoted with backslashes. */
export function multipartBody(parts: Part[]): MultipartBody {
  const boundary = `scriptorium-${randomUUID()}`;
  return { contentType: `multipart/form-data; boundary=${boundary}`, body: bytesOf(parts, boundary) };
}

async function* bytesOf(parts: Part[], boundary: string): AsyncGenerator<Uint8Array> {
  for (const part of parts) {
    yield Buffer.from(`--${boundary}\r\n${headersOf(part)}\r\n\r\n`);
    if ('value' in part) yield Buffer.from(part.value);
    else yield* createReadStream(part.path) as AsyncIterable<Buffer>;
    yield Buffer.from('\r\n');
  }
  yield Buffer.from(`--${boundary}--\r\n`);
}

function headersOf(part: Part): string {
  const disposition = `Content-Disposition: form-data; name=${quoted(part.name)}`;
  if ('value' in part) return disposition;
  return `${disposition}; filename=${quoted(part.filename)}\r\nContent-Type: application/octet-stream`;
}

/** Line breaks would end the header; no file and no reference has one. */
function quoted(text: string): string {
  return `"${text.replace(/[\r\n]/g, ' ').replace(/["\\]/g, '\\$&')}"`;
}
