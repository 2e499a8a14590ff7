import { withoutEnding, withoutPrefix } from '#contracts/text.js';
import { endpoints, type Endpoint } from '#catalogue/endpoints.js';
import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import type { FastifyReply, FastifyRequest, FastifyInstance } from 'fastify';
import { sha256 } from '#contracts/sha256.js';
import { Readable } from 'node:stream';

/**
 * Adds what every request passes before its handler, and every response before it is sent, in this order.
 *
 * @param windowMs milliseconds within which a body must make progress
 */
export function addRequestHooks(fastify: FastifyInstance, windowMs: number): void {
  cutSlowBodies(fastify, windowMs);
  fastify.addHook('onRequest', refuseOtherMethods);
  fastify.addHook('onRequest', refuseCompressed);
  readJsonStrictly(fastify);
  fastify.addHook('preValidation', refuseDeepJson);
  fastify.addHook('preHandler', refuseUnusableText);
  fastify.addHook('onSend', answerUnchanged);
  fastify.addHook('onSend', addSecurityHeaders);
}

/** Minimum progress of an upload per window, in bytes. */
const MIN_BYTES = 1024;

/**
 * Disconnects clients that send their body so slowly that they only occupy a connection (OWASP API4). A JSON
 * body must be complete within the window; an upload may last longer, but must send at least 1 KiB per
 * window.
 *
 * @param windowMs length of the window, in milliseconds
 */
function cutSlowBodies(fastify: FastifyInstance, windowMs: number): void {
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
const READABLE: Pick<Endpoint, 'method' | 'path'>[] = ['/api/docs', '/api/openapi.json', '/metrics'].map(
  (path) => ({
    method: 'GET',
    path,
  }),
);
const PATHS = [...Object.values<Endpoint>(endpoints), ...READABLE].map(({ method, path }) => ({
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
async function refuseOtherMethods(request: FastifyRequest, reply: FastifyReply): Promise<void> {
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
async function refuseCompressed({ headers }: FastifyRequest, reply: FastifyReply): Promise<void> {
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding.trim().toLowerCase() === 'identity') return;
  reply.header('accept-encoding', 'identity');
  throw new ProblemError('unsupported_media_type', phrase('unsupported_media_type.compressed'));
}

/** Maximum nesting of a body; code that walks bodies recursively relies on it. */
const MAX_DEPTH = 32;

/** @throws ProblemError `invalid_request` for a JSON body that nests deeper than 32 levels */
async function refuseDeepJson(request: FastifyRequest): Promise<void> {
  if (typeof request.body !== 'object' || request.body === null || request.isMultipart()) return;
  let level: unknown[] = [request.body];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH)
      throw new ProblemError('invalid_request', phrase('invalid_request.nested', { max: MAX_DEPTH }));
    level = level
      .flatMap((value) => Object.values(value as object))
      .filter((value) => typeof value === 'object' && value !== null);
  }
}

const isUnusable = (text: string) => text.includes('\0') || !text.isWellFormed();

function holdsUnusable(value: unknown): boolean {
  if (typeof value === 'string') return isUnusable(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, entry]) => isUnusable(key) || holdsUnusable(entry));
}

/**
 * Refuses NUL characters and unpaired surrogates, which PostgreSQL cannot store.
 *
 * @throws ProblemError `not_found` for one in the path, `invalid_request` elsewhere
 */
async function refuseUnusableText(request: FastifyRequest): Promise<void> {
  if (holdsUnusable(request.params)) throw new ProblemError('not_found', phrase('not_found.path'));
  const isJson = typeof request.body === 'object' && !request.isMultipart();
  if (holdsUnusable(request.query) || (isJson && holdsUnusable(request.body))) {
    throw new ProblemError('invalid_request', phrase('invalid_request.characters'));
  }
}

const texts = new WeakMap<FastifyRequest, string>();

/** Returns the JSON body of a request as it arrived. */
export const jsonTextOf = (request: FastifyRequest): string => texts.get(request) ?? '';

/** Parses JSON bodies like Fastify, but refuses invalid UTF-8 (`malformed_json`) instead of replacing it. */
function readJsonStrictly(fastify: FastifyInstance): void {
  const parse = fastify.getDefaultJsonParser('error', 'error');
  fastify.removeContentTypeParser('application/json');
  fastify.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    let text: string;
    try {
      text = new TextDecoder('utf-8', { fatal: true }).decode(body as Buffer);
    } catch {
      done(new ProblemError('malformed_json', phrase('malformed_json.not_utf8')));
      return;
    }
    texts.set(request, text);
    void parse(request, text, done);
  });
}

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Returns whether a browser sent the request from a page of another site; programs send no site. */
function isFromAnotherSite({ headers, host }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'];
  if (typeof site === 'string') return site !== 'same-origin' && site !== 'none';
  const { origin } = headers;
  if (origin === undefined) return false;
  return !URL.canParse(origin) || new URL(origin).host !== host;
}

/**
 * Protects endpoints to which browsers send HTTP Basic credentials automatically against requests from other
 * sites. Programs pass, because they send no site.
 *
 * @throws ProblemError `cross_site_request` for a change requested by another site's page
 */
export function refuseOtherSites(request: FastifyRequest): void {
  if (SAFE.has(request.method) || !isFromAnotherSite(request)) return;
  throw new ProblemError('cross_site_request', phrase('cross_site_request.other_site'));
}

/** Policy for API responses, which must not run or load anything; the ledger as HTML has inline styles. */
const API_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox";
/** Policy for pages that load scripts and resources only from the gateway; inline scripts are refused. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Areas with pages. The studio's page sets its own policy, but a web worker gets the policy of its script. */
const PAGES = ['/api/docs', '/admin/queues', '/assets'];

/**
 * Returns headers that keep browsers from guessing types, and from framing, caching or sharing what a tenant
 * reads.
 */
export function securityHeaders(url: string): Record<string, string> {
  const path = `${url.split('?')[0]!}/`;
  const policy = PAGES.some((area) => path.startsWith(`${area}/`)) ? PAGE_POLICY : API_POLICY;
  return {
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
    'content-security-policy': policy,
    'cache-control': 'no-store',
  };
}

/** Adds `securityHeaders`, except headers that the response already has. */
async function addSecurityHeaders(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  for (const [name, value] of Object.entries(securityHeaders(request.url)))
    if (!reply.hasHeader(name)) reply.header(name, value);
}

const tagOf = (payload: string) => `"${sha256(payload, 'base64url')}"`;

/** Returns whether `If-None-Match` contains the tag (weak comparison, RFC 9110, 13.1.2). */
function isNamed(header: string | undefined, tag: string): boolean {
  const named = (header ?? '').split(',').map((item) => withoutPrefix(item.trim(), 'W/'));
  return named.includes('*') || named.includes(tag);
}

/**
 * Adds a strong ETag to responses of the API's GETs, the hash of their bytes unless the handler set
 * one, and answers 304 without a body if `If-None-Match` contains it.
 */
async function answerUnchanged(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<unknown> {
  if (request.method !== 'GET' || reply.statusCode !== 200 || !request.url.startsWith('/api/'))
    return payload;
  if (typeof payload === 'string' && !reply.hasHeader('etag')) reply.header('etag', tagOf(payload));
  const tag = reply.getHeader('etag');
  if (typeof tag !== 'string' || !isNamed(request.headers['if-none-match'], tag)) return payload;
  if (payload instanceof Readable) payload.destroy();
  reply.status(304).removeHeader('content-length').removeHeader('content-type');
  return null;
}
