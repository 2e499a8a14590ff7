import type { GatewaySettings } from '#config/settings.js';
import { ProblemError } from '#contracts/errors.js';
import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AuthenticatedRequest } from '../http/route.js';

const WINDOW_MS = 60_000;
/** Keys whose requests are counted at the same time; the ones used longest ago are forgotten first. */
const KEYS = 50_000;

type Limiter = ReturnType<FastifyInstance['createRateLimit']>;

const limiters = new WeakMap<FastifyInstance, Limiter>();

/** Makes `limitRate` work: counts requests per API key and minute, in this process. */
export async function countRequests(fastify: FastifyInstance, settings: GatewaySettings): Promise<void> {
  await fastify.register(rateLimit, {
    global: false,
    timeWindow: WINDOW_MS,
    cache: KEYS,
    keyGenerator: (request) => (request as AuthenticatedRequest).caller.apiKeyId,
    max: (request) =>
      (request as AuthenticatedRequest).caller.requestsPerMinute ?? settings.RATE_LIMIT_PER_MINUTE,
  });
  limiters.set(fastify, fastify.createRateLimit());
}

/**
 * Counts a request of an authenticated caller and tells what is left in the headers `RateLimit-Limit`, `-Remaining` and
 * `-Reset` (seconds).
 *
 * @throws ProblemError `too_many_requests`, with `Retry-After`
 */
export async function limitRate(
  fastify: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const counted = await limiters.get(fastify)?.(request);
  if (!counted || counted.isAllowed) return;
  const { max, remaining, ttlInSeconds, isExceeded } = counted;
  reply.header('ratelimit-limit', max).header('ratelimit-remaining', remaining);
  reply.header('ratelimit-reset', ttlInSeconds);
  if (!isExceeded) return;
  reply.header('retry-after', ttlInSeconds);
  throw new ProblemError(
    'too_many_requests',
    `The key may send ${max} requests a minute. Try again in ${ttlInSeconds} s.`,
  );
}
