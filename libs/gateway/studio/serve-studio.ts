import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Placeholder in the built page, replaced by a fresh nonce per response. */
const NONCE = '__NONCE__';
/** Paths that are not the studio's; an unknown one there is an error, not the studio's page. */
const NO_PAGE = /^\/(?:api|admin|metrics|assets|mcp|oauth|\.well-known)(?:\/|$)/;

/**
 * Returns the page's policy: scripts and styles come from the gateway or carry this response's nonce, and
 * nothing else loads.
 */
function pagePolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' blob: data:",
    "font-src 'self'",
    "connect-src 'self'",
    "frame-src 'self' blob:",
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/**
 * Serves the web studio: its files under /assets, cached forever (their names contain a hash), and its single
 * page for every other path that a browser navigates to and the service lacks.
 *
 * @param folder output folder of `npm run build`; without it nothing is served
 */
export async function serveStudio(fastify: FastifyInstance, folder: string): Promise<void> {
  const page = join(folder, 'index.html');
  if (!existsSync(page)) return;
  const html = readFileSync(page, 'utf8');
  await fastify.register(fastifyStatic, {
    root: join(folder, 'assets'),
    prefix: '/assets/',
    decorateReply: false,
    preCompressed: true,
    immutable: true,
    maxAge: '1y',
  });
  fastify.get('/*', async (request: FastifyRequest, reply: FastifyReply) => {
    const accepts = request.headers.accept ?? '';
    const path = request.url.split('?')[0]!;
    if (NO_PAGE.test(path) || !accepts.includes('text/html')) return reply.callNotFound();
    const nonce = randomBytes(16).toString('base64url');
    return reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .header('content-security-policy', pagePolicy(nonce))
      .send(html.replaceAll(NONCE, nonce));
  });
}
