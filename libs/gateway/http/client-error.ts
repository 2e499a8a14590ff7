import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Socket } from 'node:net';
import { problemOf, setProblemHeaders } from './problem.filter.js';
import { securityHeaders } from './security-headers.js';

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
