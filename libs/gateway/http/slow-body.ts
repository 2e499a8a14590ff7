import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { securityHeaders } from './security-headers.js';

/** Minimum progress of an upload per window, in bytes. */
const MIN_BYTES = 1024;

/**
 * Disconnects clients that send their body so slowly that they only occupy a connection (OWASP API4). A JSON
 * body must be complete within the window; an upload may last longer, but must send at least 1 KiB per
 * window.
 *
 * @param windowMs length of the window, in milliseconds
 */
export function cutSlowBodies(fastify: FastifyInstance, windowMs: number): void {
  fastify.addHook('onRequest', async (request, reply) => {
    const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
    if (encoding === undefined && (length === undefined || length === '0')) return;
    watch(request, reply, windowMs);
  });
}

function watch(request: FastifyRequest, reply: FastifyReply, windowMs: number): void {
  const { raw } = request;
  let seen = raw.socket.bytesRead;
  const timer = setInterval(() => {
    // Unread data is our delay, not the client's.
    if (raw.readableLength > 0) return;
    const { bytesRead } = raw.socket;
    const isProgress = bytesRead - seen >= MIN_BYTES;
    seen = bytesRead;
    if (request.headers['content-type']?.startsWith('multipart/') && isProgress) return;
    stop();
    cut(request, reply);
  }, windowMs).unref();
  const stop = () => clearInterval(timer);
  raw.once('end', stop).once('close', stop).once('error', stop);
}

/**
 * Sends 408 unless a response has started, then destroys the request, so that code still reading the body
 * fails and closes its file.
 */
function cut({ raw, url }: FastifyRequest, reply: FastifyReply): void {
  const end = () => raw.destroy();
  if (!reply.sent && !reply.raw.headersSent) {
    const problem = new ProblemError('request_timeout', phrase('request_timeout.body'));
    reply.raw.writeHead(problem.status, {
      ...securityHeaders(url),
      'content-type': 'application/problem+json; charset=utf-8',
      connection: 'close',
    });
    reply.raw.end(JSON.stringify(problem.toProblem(url.split('?')[0])), end);
  } else end();
}
