import { toJsonb } from '#db/jsonb.js';
import type { Database, DatabaseOrTransaction } from '#db/client.js';
import { randomUUID } from 'node:crypto';

/** Seconds after which a request that gave no sign of life has died with its process. */
const LEASE_SECONDS = 45;

/** A request under an `Idempotency-Key`. */
export interface KeyedRequest {
  tenantId: string;
  key: string;
  /** Tells one request from another: a hash of method, path and body. */
  hash: string;
}

/** What is to be done with a keyed request. */
export type Admission =
  /** Do it, then `settle` it under this attempt. Ids of what it makes are derived from the seed: see `derivedId`. */
  | { kind: 'do'; attempt: string; seed: string }
  /** It was done: answer the same again. */
  | { kind: 'repeat'; status: number; body: unknown }
  /** The first request is under way. */
  | { kind: 'under_way' }
  /** The first request broke off, and may have taken effect. */
  | { kind: 'unknown' }
  /** The key was used for another request. */
  | { kind: 'other_request' };

/**
 * Admits one of many equal requests. One that broke off is admitted again with the same seed, so that it finds what the first
 * attempt made.
 *
 * @param isRepeatable whether it would find that; if not, its outcome is `unknown`
 */
export async function acquireKey(
  db: Database,
  { tenantId, key, hash }: KeyedRequest,
  isRepeatable = true,
): Promise<Admission> {
  const attempt = randomUUID();
  const [admitted] = await db.$queryRaw<{ seed: string }[]>`
    /* admit request */ INSERT INTO idempotency_keys AS k (tenant_id, key, request_hash, attempt)
    VALUES (${tenantId}, ${key}, ${hash}, ${attempt})
    ON CONFLICT (tenant_id, key) DO UPDATE SET attempt = EXCLUDED.attempt, created_at = now()
    WHERE ${isRepeatable} AND k.status IS NULL AND k.request_hash = EXCLUDED.request_hash
      AND k.created_at < now() - make_interval(secs => ${LEASE_SECONDS})
    RETURNING seed`;
  if (admitted) return { kind: 'do', attempt, seed: admitted.seed };
  const [row] = await db.$queryRaw<
    { request_hash: string; status: number | null; body: unknown; is_over: boolean }[]
  >`
    SELECT request_hash, status, body, created_at < now() - make_interval(secs => ${LEASE_SECONDS}) AS is_over
    FROM idempotency_keys WHERE tenant_id = ${tenantId} AND key = ${key}`;
  // The first request was refused and gave the key up in between.
  if (!row) return acquireKey(db, { tenantId, key, hash }, isRepeatable);
  if (row.request_hash !== hash) return { kind: 'other_request' };
  if (row.status !== null) return { kind: 'repeat', status: row.status, body: row.body };
  return row.is_over && !isRepeatable ? { kind: 'unknown' } : { kind: 'under_way' };
}

/**
 * Keeps the answer of an admitted request, for 24 hours.
 *
 * @returns false when another attempt has taken the request over
 */
export async function storeResponse(
  db: DatabaseOrTransaction,
  { tenantId, key }: KeyedRequest,
  attempt: string,
  status: number,
  body: unknown,
): Promise<boolean> {
  const kept = await db.$executeRaw`
    /* settle request */ UPDATE idempotency_keys SET status = ${status}, body = ${toJsonb(body ?? null)}::jsonb
    WHERE tenant_id = ${tenantId} AND key = ${key} AND attempt = ${attempt}`;
  return kept === 1;
}

/** Ends the lease of a request that broke off: a repeat need not wait for it to run out. */
export async function release(db: Database, { tenantId, key }: KeyedRequest, attempt: string): Promise<void> {
  await db.$executeRaw`
    /* release request */ UPDATE idempotency_keys SET created_at = now() - make_interval(secs => ${LEASE_SECONDS})
    WHERE tenant_id = ${tenantId} AND key = ${key} AND attempt = ${attempt} AND status IS NULL`;
}

/** Gives the key of a refused request up, so that it can be sent again. */
export async function giveUp(db: Database, { tenantId, key }: KeyedRequest, attempt: string): Promise<void> {
  await db.$executeRaw`
    /* give request up */ DELETE FROM idempotency_keys
    WHERE tenant_id = ${tenantId} AND key = ${key} AND attempt = ${attempt} AND status IS NULL`;
}

/** Keeps a long request alive until stopped. */
export function startKeyRenewal(
  db: Database,
  { tenantId, key }: KeyedRequest,
  attempt: string,
): { stop(): void } {
  const renew = () =>
    void db.$executeRaw`
      /* renew request */ UPDATE idempotency_keys SET created_at = now()
      WHERE tenant_id = ${tenantId} AND key = ${key} AND attempt = ${attempt}`.catch(() => undefined);
  const timer = setInterval(renew, (LEASE_SECONDS * 1_000) / 3);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
