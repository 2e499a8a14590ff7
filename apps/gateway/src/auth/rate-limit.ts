import type { GatewaySettings } from '#config/settings.js';
import { ProblemError } from '#contracts/errors.js';
import type { Database } from '#db/client.js';
import { RateCountRepository } from '#db/repositories/rate-counts.js';
import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AuthenticatedRequest } from '../http/route.js';
import { isAdmin } from './admin-credentials.js';
import { sharedStore } from './shared-rate-store.js';

const WINDOW_MS = 60_000;
/** Wrong credentials that an address may send a minute. */
const FAILED_LOGINS = 100;

type Limiter = ReturnType<FastifyInstance['createRateLimit']>;

const limiters = new WeakMap<FastifyInstance, { requests: Limiter; failures: Limiter }>();

/** Makes the limits below work: counts requests per API key, and failures per address, per minute over all gateways. */
export async function countRequests(
  fastify: FastifyInstance,
  settings: GatewaySettings,
  db: Database,
): Promise<void> {
  await fastify.register(rateLimit, {
    global: false,
    timeWindow: WINDOW_MS,
    store: sharedStore(new RateCountRepository(db)),
    keyGenerator: (request) => (request as AuthenticatedRequest).caller.apiKeyId,
    max: (request) =>
      (request as AuthenticatedRequest).caller.requestsPerMinute ?? settings.RATE_LIMIT_PER_MINUTE,
  });
  const requests = fastify.createRateLimit();
  const failures = fastify.createRateLimit({
    max: FAILED_LOGINS,
    keyGenerator: ({ ip }) => `address ${ip}`,
  });
  limiters.set(fastify, { requests, failures });
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
  const counted = await limiters.get(fastify)?.requests(request);
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

/**
 * Counts wrong credentials by the address that sent them. A request without any is not counted.
 *
 * @throws ProblemError `too_many_requests`, with `Retry-After`, when there were too many
 */
export async function countFailedLogin(
  fastify: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  if (request.headers.authorization === undefined) return;
  const counted = await limiters.get(fastify)?.failures(request);
  if (counted && !counted.isAllowed && counted.isExceeded) refuse(reply, counted.ttlInSeconds);
}

/**
 * Whether a request has the operator's credentials. Keys cannot be guessed, a password may be: past the limit of wrong
 * ones an address is refused whatever it sends.
 *
 * @throws ProblemError `too_many_requests`, with `Retry-After`
 */
export async function isOperator(
  fastify: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
  settings: GatewaySettings,
): Promise<boolean> {
  const { authorization } = request.headers;
  if (authorization === undefined) return false;
  const counted = await limiters.get(fastify)?.failures(request, { increment: false });
  if (counted && !counted.isAllowed && counted.remaining === 0) refuse(reply, counted.ttlInSeconds);
  if (isAdmin(authorization, settings)) return true;
  await countFailedLogin(fastify, request, reply);
  return false;
}

function refuse(reply: FastifyReply, seconds: number): never {
  reply.header('retry-after', seconds);
  throw new ProblemError(
    'too_many_requests',
    `Too many requests with wrong credentials came from your address. Try again in ${seconds} s.`,
  );
}
