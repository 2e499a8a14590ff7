import type { GatewaySettings } from '#config/settings.js';
import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import type { Database } from '#db/client.js';
import { RateCountRepository } from '#db/repositories/rate-counts.js';
import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AuthenticatedRequest } from './route.js';
import { isAdmin } from '../auth/admin-credentials.js';
import type { FastifyRateLimitStore, FastifyRateLimitStoreCtor } from '@fastify/rate-limit';

const WINDOW_MS = 60_000;
/** Limit of all keys of a tenant together, as a multiple of the limit of one key. */
const KEYS_AT_FULL_RATE = 5;
/** Failed logins allowed per minute and address. */
const FAILED_LOGINS = 100;
/** Requests of OAuth allowed per minute and address; a hosted client sends those of all its users from one. */
const OAUTH_REQUESTS = 1_000;
/** Requests of pages behind links allowed per minute and address. */
const LINK_REQUESTS = 300;

type Limiter = ReturnType<FastifyInstance['createRateLimit']>;

const limiters = new WeakMap<
  FastifyInstance,
  Record<'ofKey' | 'ofTenant' | 'failures' | 'oauth' | 'links', Limiter>
>();

/**
 * Registers the limiters used below: requests per minute by API key and by tenant, failed logins and requests of
 * OAuth by address. All gateways share the counts.
 */
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
  const oauth = fastify.createRateLimit({ max: OAUTH_REQUESTS, keyGenerator: ({ ip }) => `oauth ${ip}` });
  const links = fastify.createRateLimit({ max: LINK_REQUESTS, keyGenerator: ({ ip }) => `links ${ip}` });
  limiters.set(fastify, { ofKey, ofTenant, failures, oauth, links });
}

/**
 * Counts a request of an authenticated caller. Sets `RateLimit-Limit`, `-Remaining` and `-Reset` (seconds)
 * for its key, or for the tenant once the tenant's limit is exceeded.
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
    phrase(isTenants ? 'too_many_requests.tenant' : 'too_many_requests.key', { max, seconds: ttlInSeconds }),
  );
}

/**
 * Counts a failed login by the sender's address; a request without credentials is not counted.
 *
 * @throws ProblemError `too_many_requests`, with `Retry-After`, if there were too many
 */
export async function countFailedLogin(
  fastify: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  if (request.headers.authorization !== undefined) await countByAddress('failures', fastify, request, reply);
}

/**
 * Counts a failed login, or a request of OAuth or behind a link, by the sender's address.
 *
 * @throws ProblemError `too_many_requests`, with `Retry-After`, if there were too many
 */
export async function countByAddress(
  what: 'failures' | 'oauth' | 'links',
  fastify: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const counted = await limiters.get(fastify)?.[what](request);
  if (counted && !counted.isAllowed && counted.isExceeded) refuse(reply, counted.ttlInSeconds);
}

/**
 * Returns whether a request has the operator's credentials. A password can be guessed, unlike a key, so an
 * address past the limit of failed logins is refused even with the right one.
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
  throw new ProblemError('too_many_requests', phrase('too_many_requests.address', { seconds }));
}

/** Share of a limit that a gateway reserves per database call. */
const PORTION = 1 / 100;
/** Maximum number of keys with a reserved portion. */
const KEYS = 50_000;

type Callback = (error: Error | null, result?: { current: number; ttl: number }) => void;

/** A portion that a gateway has reserved of a key's requests. */
interface Reservation {
  count: number;
  left: number;
  endsAt: number;
}

/**
 * Rate counts of `@fastify/rate-limit` that all gateways share. A gateway reserves 1 % of a limit, at least
 * one request, so that a limit of 6,000 per minute costs one statement per 60 requests. Other gateways cannot
 * use what it leaves unspent in the window: with n gateways a key may be refused up to n % early, but never
 * late.
 */
function sharedStore(counts: RateCountRepository): FastifyRateLimitStoreCtor {
  return class implements FastifyRateLimitStore {
    private readonly reservations = new Map<string, Reservation>();
    private readonly claims = new Map<string, Promise<void>>();

    incr(key: string, callback: Callback, windowMs = 0, max = 0): void {
      settle(this.reserve(key, windowMs, max), callback);
    }

    read(key: string, callback: Callback): void {
      settle(
        counts.read(key).then(({ count, ttlMs }) => ({ current: count, ttl: ttlMs })),
        callback,
      );
    }

    child(): this {
      return this;
    }

    private async reserve(
      key: string,
      windowMs: number,
      max: number,
    ): Promise<{ current: number; ttl: number }> {
      const portion = Math.max(1, Math.floor(max * PORTION));
      if (portion === 1) {
        const { count, ttlMs } = await counts.add(key, 1, windowMs);
        return { current: count, ttl: ttlMs };
      }
      for (;;) {
        const reservation = this.reservations.get(key);
        if (reservation && reservation.left > 0 && reservation.endsAt > Date.now()) {
          reservation.left -= 1;
          return { current: reservation.count - reservation.left, ttl: reservation.endsAt - Date.now() };
        }
        await (this.claims.get(key) ?? this.claim(key, portion, windowMs));
      }
    }

    /** Reserves a portion; concurrent requests wait for it. */
    private claim(key: string, portion: number, windowMs: number): Promise<void> {
      const claim = counts
        .add(key, portion, windowMs)
        .then(({ count, ttlMs }) => {
          if (this.reservations.size >= KEYS) this.reservations.clear();
          this.reservations.set(key, { count, left: portion, endsAt: Date.now() + ttlMs });
        })
        .finally(() => this.claims.delete(key));
      this.claims.set(key, claim);
      return claim;
    }
  } as FastifyRateLimitStoreCtor;
}

function settle(result: Promise<{ current: number; ttl: number }>, callback: Callback): void {
  result.then(
    (value) => callback(null, value),
    (error: unknown) => callback(error as Error),
  );
}
