import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { isOutage } from '#engine/recovery/outage.js';
import type { Logger } from '#telemetry/logger.js';
import { Catch, HttpException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { mcpChallenge } from '../oauth/metadata.js';
import { isMalformedMultipart } from './multipart.js';
import type { Socket } from 'node:net';
import { securityHeaders } from './request-hooks.js';

/** `Retry-After` of requests that fail because of an outage, in seconds. */
const RETRY_SECONDS = 5;

/** Problems for error codes of Fastify and its multipart plugin that are the client's fault. */
const clientErrors: Record<string, ProblemError> = {
  FST_ERR_CTP_INVALID_JSON_BODY: new ProblemError('malformed_json', phrase('malformed_json.send_json')),
  FST_ERR_CTP_EMPTY_JSON_BODY: new ProblemError('malformed_json', phrase('malformed_json.empty')),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: new ProblemError(
    'unsupported_media_type',
    phrase('unsupported_media_type.send_json'),
  ),
  FST_ERR_CTP_BODY_TOO_LARGE: new ProblemError('body_too_large', phrase('body_too_large.smaller')),
  FST_INVALID_MULTIPART_CONTENT_TYPE: new ProblemError(
    'unsupported_media_type',
    phrase('unsupported_media_type.multipart'),
  ),
  FST_PROTO_VIOLATION: new ProblemError('malformed_multipart', phrase('malformed_multipart.rename_part')),
  FST_REQ_FILE_TOO_LARGE: new ProblemError('file_too_large', phrase('file_too_large.split')),
  FST_FILES_LIMIT: new ProblemError('too_many_files', phrase('too_many_files.files_per_request')),
  FST_PARTS_LIMIT: new ProblemError('too_many_files', phrase('too_many_files.parts_per_request')),
  FST_ERR_MAX_PARAM_LENGTH: new ProblemError('not_found', phrase('not_found.path')),
  FST_ERR_BAD_URL: new ProblemError('not_found', phrase('not_found.url')),
};

const malformedMultipart = new ProblemError('malformed_multipart', phrase('malformed_multipart.incomplete'));

/** Returns whether an insert failed because its parent row was deleted in the meantime. */
function isParentGone(error: unknown): boolean {
  const { code, meta } = (error ?? {}) as { code?: unknown; meta?: object };
  return (
    code === '23503' || code === 'P2003' || (code === 'P2010' && JSON.stringify(meta ?? {}).includes('23503'))
  );
}

/** Converts any thrown value to the problem that the client sees. */
export function problemOf(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  const code = (error as { code?: unknown } | null)?.code;
  const known = typeof code === 'string' ? clientErrors[code] : undefined;
  if (known) return known;
  if (isMalformedMultipart(error)) return malformedMultipart;
  if (isParentGone(error)) return new ProblemError('not_found', phrase('not_found.parent_deleted'));
  const status =
    error instanceof HttpException
      ? error.getStatus()
      : (error as { statusCode?: number } | null)?.statusCode;
  // Only the static file server returns 403, for paths outside its folder.
  if (status === 404 || status === 403) return new ProblemError('not_found', phrase('not_found.path'));
  if (status === 415) return clientErrors.FST_ERR_CTP_INVALID_MEDIA_TYPE!;
  if (status === 413) return clientErrors.FST_ERR_CTP_BODY_TOO_LARGE!;
  if (status === 400) return new ProblemError('malformed_json', phrase('malformed_json.unreadable'));
  if (isOutage(error))
    return new ProblemError('unavailable', phrase('unavailable.retry', { seconds: RETRY_SECONDS }));
  return new ProblemError('internal_error', phrase('internal_error.retry'));
}

/** Sets the headers that a problem needs, unless they are set. */
export function setProblemHeaders({ status }: ProblemError, reply: FastifyReply): void {
  if (status === 401 && !reply.hasHeader('www-authenticate'))
    reply.header('www-authenticate', 'Bearer realm="Scriptorium"');
  if (status === 503 && !reply.hasHeader('retry-after')) reply.header('retry-after', RETRY_SECONDS);
}

/** Answers every error with problem details (RFC 9457); the log has the cause of internal errors. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(private readonly log: Logger) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const problem = problemOf(error);
    if (problem.status >= 500) this.log.error({ err: error, request_id: request.id }, 'request failed');
    if (reply.sent || reply.raw.headersSent) {
      reply.raw.destroy();
      return;
    }
    if (problem.status === 401 && request.routeOptions.url === '/mcp')
      reply.header('www-authenticate', mcpChallenge(request));
    setProblemHeaders(problem, reply);
    void reply
      .status(problem.status)
      .header('content-type', 'application/problem+json; charset=utf-8')
      .send(JSON.stringify(problem.toProblem(request.url.split('?')[0])));
  }
}

const known: Record<string, ProblemError> = {
  HPE_HEADER_OVERFLOW: new ProblemError('headers_too_large', phrase('headers_too_large.shorter')),
  ERR_HTTP_REQUEST_TIMEOUT: new ProblemError('request_timeout', phrase('request_timeout.headers')),
};
const malformed = new ProblemError('malformed_request', phrase('malformed_request.not_http'));

/** Answers requests that Node cannot parse as HTTP with problem details, and closes the connection. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  if (socket.writable) {
    const problem = known[error.code ?? ''] ?? malformed;
    const body = JSON.stringify(problem.toProblem());
    const head = [
      `HTTP/1.1 ${problem.status} ${problem.code}`,
      'content-type: application/problem+json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      'cache-control: no-store',
      'connection: close',
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  }
  socket.destroySoon();
}

/**
 * Answers requests that Fastify refuses before routing: an invalid URL, or a path parameter that is too long.
 */
export function answerFrameworkError(error: Error, { url }: FastifyRequest, reply: FastifyReply): void {
  const problem = problemOf(error);
  setProblemHeaders(problem, reply);
  void reply
    .status(problem.status)
    .headers(securityHeaders(url))
    .type('application/problem+json; charset=utf-8')
    .send(JSON.stringify(problem.toProblem(url.split('?')[0])));
}
