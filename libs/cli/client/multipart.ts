import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { Paths } from '#catalogue/paths.js';
import { unwrap } from '#contracts/api/responses.js';
import type { MethodResponse } from 'openapi-fetch';
import { type ApiClient, send } from './api-client.js';

/** One part of multipart/form-data: a plain value, or a file that is read while it is sent. */
export type Part = { name: string; value: string } | { name: string; filename: string; path: string };

type Multipart = { post: { requestBody: { content: { 'multipart/form-data': unknown } } } };
/** The paths of the operations that accept files. */
type UploadPath = { [P in keyof Paths]: Paths[P] extends Multipart ? P : never }[keyof Paths];

interface Upload<P extends UploadPath> {
  params: Paths[P] extends { post: { parameters: infer Parameters } } ? Parameters : never;
  parts: Part[];
  signal?: AbortSignal;
}

/**
 * Streams a multipart/form-data body (RFC 7578) without a time limit. Names are in UTF-8 and quoted with
 * backslashes.
 *
 * @returns the JSON of the response
 * @throws CliError
 */
export function upload<P extends UploadPath>(
  client: ApiClient,
  path: P,
  { parts, ...init }: Upload<P>,
): Promise<MethodResponse<ApiClient, 'post', P>> {
  const boundary = `scriptorium-${randomUUID()}`;
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
  const body = bytesOf(parts, boundary);
  const options = { ...init, headers, body, bodySerializer: () => body, duplex: 'half', fetch: send };
  return unwrap(client.POST(path, options as never));
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

/** Quotes a name. Replaces line breaks, which would end the header; valid names contain none. */
function quoted(text: string): string {
  return `"${text.replace(/[\r\n]/g, ' ').replace(/["\\]/g, '\\$&')}"`;
}
