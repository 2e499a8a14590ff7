import { toJsonb } from '#db/jsonb.js';
import type { Database, DatabaseOrTransaction } from '#db/client.js';
import { randomUUID } from 'node:crypto';

/** Seconds without a renewal after which a request counts as dead. */
const LEASE_SECONDS = 45;

/** Request with an `Idempotency-Key`. */
export interface KeyedRequest {
  tenantId: string;
  key: string;
  /** Hash of method, path and body, which identifies the request. */
  hash: string;
}

/** Outcome of `acquireKey`, which determines how to handle the request. */
export type Admission =
  /**
   * Execute it, then call `storeResponse` with this attempt. IDs of created resources are derived from the
   * seed: see `derivedId`.
   */
  | { kind: 'do'; attempt: string; seed: string }
  /** It was executed: return the stored response. */
  | { kind: 'repeat'; status: number; body: unknown }
  /** The first request is still running. */
  | { kind: 'under_way' }
  /** The first request was interrupted and may have taken effect. */
  | { kind: 'unknown' }
  /** The key was used for another request. */
  | { kind: 'other_request' };

/**
 * Acquires an idempotency key for one request among equal ones. After an interrupted request, the key is
 * granted again with the same seed, so that the retry finds what the first attempt created.
 *
 * @param isRepeatable false if a retry cannot find it: the outcome of an interrupted request is then
 *   `unknown`
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
  // The first request was rejected and released the key between the two statements.
  if (!row) return acquireKey(db, { tenantId, key, hash }, isRepeatable);
  if (row.request_hash !== hash) return { kind: 'other_request' };
  if (row.status !== null) return { kind: 'repeat', status: row.status, body: row.body };
  return row.is_over && !isRepeatable ? { kind: 'unknown' } : { kind: 'under_way' };
}

/**
 * Stores the response of a keyed request; it is available for 24 hours.
 *
 * @returns false if another attempt has taken the request over
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

/** Ends the lease of an interrupted request, so that a retry can start immediately. */
export async function release(db: Database, { tenantId, key }: KeyedRequest, attempt: string): Promise<void> {
  await db.$executeRaw`
    /* release request */ UPDATE idempotency_keys SET created_at = now() - make_interval(secs => ${LEASE_SECONDS})
    WHERE tenant_id = ${tenantId} AND key = ${key} AND attempt = ${attempt} AND status IS NULL`;
}

/** Deletes the key of a rejected request, so that the request can be sent again. */
export async function deleteRejectedKey(
  db: Database,
  { tenantId, key }: KeyedRequest,
  attempt: string,
): Promise<void> {
  await db.$executeRaw`
    /* give request up */ DELETE FROM idempotency_keys
    WHERE tenant_id = ${tenantId} AND key = ${key} AND attempt = ${attempt} AND status IS NULL`;
}

/** Renews the lease of a long request until stopped. */
export function startKeyRenewal(
  db: Database,
  { tenantId, key }: KeyedRequest,
  attempt: string,
): { stop(): void } {
  // A renewal that fails is followed by others before the key counts as abandoned.
  const renew = () =>
    void db.$executeRaw`
      /* renew request */ UPDATE idempotency_keys SET created_at = now()
      WHERE tenant_id = ${tenantId} AND key = ${key} AND attempt = ${attempt}`.catch(() => undefined);
  const timer = setInterval(renew, (LEASE_SECONDS * 1_000) / 3);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
