import { ProblemError } from '#contracts/errors.js';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';

/** @throws ProblemError `unsupported_media_type` unless the request is multipart/form-data */
export function requireMultipart(request: FastifyRequest): void {
  if (!request.isMultipart()) {
    throw new ProblemError(
      'unsupported_media_type',
      'Send the files as multipart/form-data, for instance with curl -F file=@notes.md.',
    );
  }
}

/** The files of a multipart request, one after the other, each to be consumed before the next. */
export function filesOf(request: FastifyRequest): AsyncIterable<MultipartFile> {
  requireMultipart(request);
  return request.files();
}
