import type { RateCountRepository } from '#db/repositories/rate-counts.js';
import type { FastifyRateLimitStore, FastifyRateLimitStoreCtor } from '@fastify/rate-limit';

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
export function sharedStore(counts: RateCountRepository): FastifyRateLimitStoreCtor {
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
