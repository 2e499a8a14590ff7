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
/** The keys of a tenant may send so many times what one of them may, all of them together. */
const KEYS_AT_FULL_RATE = 5;
/** Wrong credentials that an address may send a minute. */
const FAILED_LOGINS = 100;

type Limiter = ReturnType<FastifyInstance['createRateLimit']>;

const limiters = new WeakMap<FastifyInstance, { ofKey: Limiter; ofTenant: Limiter; failures: Limiter }>();

/** Makes the limits below work: counts requests per API key and tenant, and failures per address, per minute over all gateways. */
export async function countRequests(
  fastify: FastifyInstance,
  settings: GatewaySettings,
  db: Database,
): Promise<void> {
  const callerOf = (request: FastifyRequest) => (request as AuthenticatedRequest).caller;
  const limitOf = (request: FastifyRequest) =>
    callerOf(request).requestsPerMinute ?? settings.RATE_LIMIT_PER_MINUTE;
  await fastify.register(rateLimit, {
    global: false,
    timeWindow: WINDOW_MS,
    store: sharedStore(new RateCountRepository(db)),
    keyGenerator: (request) => callerOf(request).apiKeyId,
    max: limitOf,
  });
  const ofKey = fastify.createRateLimit();
  const ofTenant = fastify.createRateLimit({
    max: (request) => limitOf(request) * KEYS_AT_FULL_RATE,
    keyGenerator: (request) => callerOf(request).tenantId,
  });
  const failures = fastify.createRateLimit({
    max: FAILED_LOGINS,
    keyGenerator: ({ ip }) => `address ${ip}`,
  });
  limiters.set(fastify, { ofKey, ofTenant, failures });
}

/**
 * Counts a request of an authenticated caller and tells what is left to its key in the headers `RateLimit-Limit`, `-Remaining`
 * and `-Reset` (seconds), or to the tenant once its keys have sent what they may together.
 *
 * @throws ProblemError `too_many_requests`, with `Retry-After`
 */
export async function limitRate(
  fastify: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const ofKey = await limiters.get(fastify)?.ofKey(request);
  if (!ofKey || ofKey.isAllowed) return;
  const ofTenant = ofKey.isExceeded ? undefined : await limiters.get(fastify)?.ofTenant(request);
  const isTenants = ofTenant?.isAllowed === false && ofTenant.isExceeded;
  const { max, remaining, ttlInSeconds, isExceeded } = isTenants ? ofTenant : ofKey;
  reply.header('ratelimit-limit', max).header('ratelimit-remaining', remaining);
  reply.header('ratelimit-reset', ttlInSeconds);
  if (!isExceeded) return;
  reply.header('retry-after', ttlInSeconds);
  throw new ProblemError(
    'too_many_requests',
    `${isTenants ? 'The keys of the tenant together' : 'The key'} may send ${max} requests a minute. Try again in ${ttlInSeconds} s.`,
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
