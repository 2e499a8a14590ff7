import type { RateCountRepository } from '#db/repositories/rate-counts.js';
import type { FastifyRateLimitStore, FastifyRateLimitStoreCtor } from '@fastify/rate-limit';

/** The share of a limit that a gateway takes at once: so seldom is the database asked. */
const PORTION = 1 / 100;
/** Keys whose portions are held at the same time. */
const KEYS = 50_000;

type Callback = (error: Error | null, result?: { current: number; ttl: number }) => void;

/** What a gateway took of a key's requests and has not spent. */
interface Held {
  count: number;
  left: number;
  endsAt: number;
}

/**
 * Counts for `@fastify/rate-limit` that all gateways share. A gateway takes 1 % of a limit at once, at least one request,
 * so that a limit of 6,000 a minute costs a statement every 60 requests. What it does not spend is lost to the others for
 * the rest of the window: with n gateways a key may be refused up to n % early, and never late.
 */
export function sharedStore(counts: RateCountRepository): FastifyRateLimitStoreCtor {
  return class implements FastifyRateLimitStore {
    private readonly held = new Map<string, Held>();
    private readonly claims = new Map<string, Promise<void>>();

    incr(key: string, callback: Callback, windowMs = 0, max = 0): void {
      settle(this.take(key, windowMs, max), callback);
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

    private async take(
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
        const held = this.held.get(key);
        if (held && held.left > 0 && held.endsAt > Date.now()) {
          held.left -= 1;
          return { current: held.count - held.left, ttl: held.endsAt - Date.now() };
        }
        await (this.claims.get(key) ?? this.claim(key, portion, windowMs));
      }
    }

    /** Takes a portion; requests that come meanwhile wait for it. */
    private claim(key: string, portion: number, windowMs: number): Promise<void> {
      const claim = counts
        .add(key, portion, windowMs)
        .then(({ count, ttlMs }) => {
          if (this.held.size >= KEYS) this.held.clear();
          this.held.set(key, { count, left: portion, endsAt: Date.now() + ttlMs });
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
