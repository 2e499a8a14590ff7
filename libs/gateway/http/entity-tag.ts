import { sha256 } from '#contracts/sha256.js';
import { withoutPrefix } from '#contracts/text.js';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';

const tagOf = (payload: string) => `"${sha256(payload, 'base64url')}"`;

/** Returns whether `If-None-Match` contains the tag (weak comparison, RFC 9110, 13.1.2). */
function isNamed(header: string | undefined, tag: string): boolean {
  const named = (header ?? '').split(',').map((item) => withoutPrefix(item.trim(), 'W/'));
  return named.includes('*') || named.includes(tag);
}

/**
 * Hook that adds a strong ETag to responses of the API's GETs, the hash of their bytes unless the handler set
 * one, and answers 304 without a body if `If-None-Match` contains it.
 */
export async function answerUnchanged(
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
