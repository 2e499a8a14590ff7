import { endpoints, type Endpoint } from '#contracts/api/endpoints.js';
import { ProblemError } from '#contracts/errors.js';
import type { FastifyReply, FastifyRequest } from 'fastify';

const METHODS = new Set(['HEAD', ...Object.values<Endpoint>(endpoints).map(({ method }): string => method)]);
const ALLOW = [...METHODS].sort().join(', ');
/** bull-board has an API of its own. */
const OTHER_METHODS = /^\/admin\/queues(\/|$)/;

/** @throws ProblemError `method_not_allowed`, with `Allow`, for a method that no endpoint has */
export async function refuseOtherMethods(
  { method, url }: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  if (METHODS.has(method) || OTHER_METHODS.test(url)) return;
  reply.header('allow', ALLOW);
  throw new ProblemError('method_not_allowed', `Use one of ${ALLOW}.`);
}

/** @throws ProblemError `unsupported_media_type`, with `Accept-Encoding`, for a body that is compressed */
export async function refuseCompressed({ headers }: FastifyRequest, reply: FastifyReply): Promise<void> {
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding.trim().toLowerCase() === 'identity') return;
  reply.header('accept-encoding', 'identity');
  throw new ProblemError('unsupported_media_type', 'Send the body as it is, without Content-Encoding.');
}
