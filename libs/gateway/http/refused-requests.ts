import { withoutEnding } from '#contracts/text.js';
import { endpoints, type Endpoint } from '#catalogue/endpoints.js';
import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import type { FastifyReply, FastifyRequest, FastifyInstance } from 'fastify';
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

const ALL = allowedBy(Object.values(endpoints));
/** bull-board's own API, which handles its methods itself. */
const OTHER_METHODS = /^\/admin\/queues(\/|$)/;

/** Readable paths that are not in the endpoint catalogue. */
const PAGES: Pick<Endpoint, 'method' | 'path'>[] = ['/api/docs', '/api/openapi.json', '/metrics'].map(
  (path) => ({
    method: 'GET',
    path,
  }),
);
const PATHS = [...Object.values<Endpoint>(endpoints), ...PAGES].map(({ method, path }) => ({
  method,
  path,
  segments: segmentsOf(path),
}));

/**
 * Refuses a method that no endpoint supports, or that the endpoints of the path do not support. The router
 * handles other unknown paths.
 *
 * @throws ProblemError `method_not_allowed`, with `Allow`
 */
export async function refuseOtherMethods(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { method, url, is404, routeOptions } = request;
  const isKnown = ALL.includes(method) || OTHER_METHODS.test(url);
  // The studio's page handles every other GET.
  if (isKnown && !is404 && routeOptions.url !== '/*') return;
  const found = allowedBy(endpointsAt(url));
  if (isKnown && (found.length === 0 || found.includes(method))) return;
  const allow = (found.length > 0 ? found : ALL).join(', ');
  reply.header('allow', allow);
  throw new ProblemError('method_not_allowed', phrase('method_not_allowed.methods', { methods: allow }));
}

function allowedBy(found: readonly Pick<Endpoint, 'method'>[]): string[] {
  const methods = found.flatMap(({ method }) => (method === 'GET' ? [method, 'HEAD'] : [method]));
  return [...new Set(methods)].sort();
}

function endpointsAt(url: string) {
  const segments = segmentsOf(decodeURI(url.split('?')[0]!));
  return PATHS.filter(
    (endpoint) =>
      endpoint.segments.length === segments.length &&
      endpoint.segments.every(
        (segment, n) => segment === segments[n] || (segment.startsWith(':') && segments[n] !== ''),
      ),
  );
}

/** Returns the segments of a path; ignores a trailing slash. */
function segmentsOf(path: string): string[] {
  return withoutEnding(path, '/').split('/');
}

/** @throws ProblemError `unsupported_media_type`, with `Accept-Encoding`, for a compressed body */
export async function refuseCompressed({ headers }: FastifyRequest, reply: FastifyReply): Promise<void> {
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding.trim().toLowerCase() === 'identity') return;
  reply.header('accept-encoding', 'identity');
  throw new ProblemError('unsupported_media_type', phrase('unsupported_media_type.compressed'));
}
