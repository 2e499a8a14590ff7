import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import type { Multipart, MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';

/** A boundary by RFC 2046: 1 to 70 characters, quoted or not. */
const BOUNDARY = /;\s*boundary=("[^"]{1,70}"|[^\s";]{1,70})\s*(;|$)/i;

/**
 * @throws ProblemError `unsupported_media_type` unless the request is multipart/form-data,
 *   `malformed_multipart` without a valid boundary
 */
function requireMultipart(request: FastifyRequest): void {
  if (!request.isMultipart()) {
    throw new ProblemError('unsupported_media_type', phrase('unsupported_media_type.send_multipart'));
  }
  if (!BOUNDARY.test(request.headers['content-type'] ?? ''))
    throw new ProblemError('malformed_multipart', phrase('malformed_multipart.boundary'));
}

/** Returns whether the multipart parser met an unexpected end; these errors lack a code. */
export function isMalformedMultipart(error: unknown): boolean {
  return error instanceof Error && error.message.endsWith('end of multipart data');
}

/**
 * Yields the files of a multipart request; consume each before the next.
 *
 * @param most maximum number of files in a session, if the endpoint adds files to one
 * @throws ProblemError `too_many_files`, which names the maximum
 */
export async function* filesOf(request: FastifyRequest, most?: number): AsyncGenerator<MultipartFile> {
  requireMultipart(request);
  try {
    yield* request.files();
  } catch (error) {
    if (most === undefined || (error as { code?: unknown }).code !== 'FST_FILES_LIMIT') throw error;
    throw new ProblemError('too_many_files', phrase('too_many_files.session_max', { max: most }));
  }
}

/**
 * Passes the only file of a multipart request on, and reads no further one.
 *
 * @throws ProblemError `empty_upload` if there is none, and as `filesOf`
 */
export async function withFile<T>(
  request: FastifyRequest,
  use: (file: MultipartFile) => Promise<T>,
): Promise<T> {
  for await (const file of filesOf(request)) return await use(file);
  throw new ProblemError('empty_upload', phrase('empty_upload.no_file'));
}

/** Returns the parts of a multipart request; consume each file before the next part. */
export function partsOf(request: FastifyRequest): AsyncIterable<Multipart> {
  requireMultipart(request);
  return request.parts();
}
