import type { DeliveryError, SourceState, WebhookEvent } from '#catalogue/webhook-schemas.js';
import type { RunStatus } from '#contracts/runs.js';
import { Prisma, type Database } from '#db/client.js';
import type { Attempt } from './post.js';

/** Schedule of a delivery's attempts. */
export interface RetryPolicy {
  /** Seconds to wait after the first, second … failed attempt. The attempt after the last delay is the final one. */
  delaySeconds: readonly number[];
  /** Time limit of one attempt, in seconds. */
  timeoutSeconds: number;
}

/** Eight attempts over about 16 hours. */
export const RETRY_POLICY: RetryPolicy = {
  delaySeconds: [5, 30, 300, 1_800, 7_200, 18_000, 28_800],
  timeoutSeconds: 10,
};

/**
 * Random share by which a delay varies in either direction, so that many deliveries do not retry at the same
 * moment.
 */
const JITTER = 0.2;

/** Returns the seconds until the next attempt, given the number of failed ones; null after the last. */
export function retryDelay(
  { delaySeconds }: RetryPolicy,
  attempts: number,
  random = Math.random(),
): number | null {
  const delay = delaySeconds[attempts - 1];
  return delay === undefined ? null : delay * (1 + JITTER * (2 * random - 1));
}

/** Fields of a delivery about a run. */
interface OfRun {
  run_id: string;
  session_id: string;
  run_status: RunStatus;
  decision_id: string | null;
  source_id: null;
}

/** Fields of a delivery about a source. */
interface OfSource {
  source_id: string;
  collection_id: string;
  source_state: SourceState;
  run_id: null;
}

/** A delivery that this process sends now, with the data of its webhook. */
export type ClaimedDelivery = (OfRun | OfSource) & {
  id: bigint;
  webhook_id: string;
  seq: number;
  event: WebhookEvent;
  at: Date;
  /** Number of this attempt; distinguishes it from a later attempt of another process. */
  attempts: number;
  url: string;
  /** Sealed secrets; the second is present during the grace period of a rotation. */
  secrets: string[];
};

/**
 * Claims due deliveries, at most one per webhook, for the lease; if the process dies, another claims them.
 * Only the oldest unsettled delivery of a run or source is claimed, so that receivers get them in order.
 * Deliveries of suspended tenants wait until the suspension ends.
 *
 * @param busy webhooks to skip
 */
export function claimDeliveries(
  db: Database,
  limit: number,
  leaseSeconds: number,
  busy: string[],
): Promise<ClaimedDelivery[]> {
  return db.$queryRaw<ClaimedDelivery[]>`
    /* claim webhook deliveries */ UPDATE webhook_deliveries d SET attempts = d.attempts + 1, next_at = now() + make_interval(secs => ${leaseSeconds})
    FROM (
      SELECT next.*, w.url,
        array_remove(ARRAY[w.secret, CASE WHEN w.previous_until > now() THEN w.previous_secret END], NULL) AS secrets
      FROM webhooks w JOIN tenants t ON t.id = w.tenant_id AND t.suspended_at IS NULL CROSS JOIN LATERAL (
        SELECT p.id AS delivery_id FROM webhook_deliveries p
        WHERE p.webhook_id = w.id AND p.status = 'pending' AND p.next_at <= now()
          AND NOT EXISTS (
            SELECT 1 FROM webhook_deliveries earlier
            WHERE earlier.webhook_id = p.webhook_id AND earlier.run_id = p.run_id AND earlier.seq < p.seq
              AND earlier.status = 'pending')
          AND NOT EXISTS (
            SELECT 1 FROM webhook_deliveries earlier
            WHERE earlier.webhook_id = p.webhook_id AND earlier.source_id = p.source_id AND earlier.seq < p.seq
              AND earlier.status = 'pending')
        ORDER BY p.next_at LIMIT 1 FOR UPDATE SKIP LOCKED
      ) next
      WHERE w.disabled_at IS NULL AND w.id <> ALL(${busy})
      LIMIT ${limit}
    ) due
    WHERE d.id = due.delivery_id
    RETURNING d.id, d.webhook_id, d.run_id, d.source_id, d.seq, d.session_id, d.collection_id, d.event, d.run_status, d.source_state,
      d.decision_id, d.at, d.attempts, due.url, due.secrets`;
}

/** Condition for the row of a claimed delivery, unless another process has claimed it since. */
const claimed = ({ id, attempts }: ClaimedDelivery) =>
  Prisma.sql`id = ${id} AND attempts = ${attempts} AND status = 'pending'`;

export async function settleDelivered(
  db: Database,
  delivery: ClaimedDelivery,
  statusCode: number,
): Promise<void> {
  await db.$executeRaw`
    /* settle webhook delivered */ WITH told AS (UPDATE webhooks SET delivered_at = now() WHERE id = ${delivery.webhook_id})
    UPDATE webhook_deliveries SET status = 'delivered', status_code = ${statusCode}, error = NULL, settled_at = now()
    WHERE ${claimed(delivery)}`;
}

/** @param delaySeconds until the next attempt */
export async function settleRetried(
  db: Database,
  delivery: ClaimedDelivery,
  { statusCode, error }: Attempt,
  delaySeconds: number,
): Promise<void> {
  await db.$executeRaw`
    /* settle webhook retried */ UPDATE webhook_deliveries
    SET next_at = now() + make_interval(secs => ${delaySeconds}), status_code = ${statusCode}, error = ${error}
    WHERE ${claimed(delivery)}`;
}

/**
 * Marks a delivery as failed. Disables its webhook if the receiver answered 410, or if nothing was delivered
 * since the delivery was created.
 *
 * @returns whether this call disabled the webhook
 */
export async function settleFailed(
  db: Database,
  delivery: ClaimedDelivery,
  { statusCode, error }: Attempt,
): Promise<boolean> {
  const isGone = statusCode === 410;
  const reason = isGone
    ? 'The receiver responded with 410 (Gone).'
    : reasonOf(delivery.attempts, statusCode, error);
  const disabled = await db.$queryRaw<unknown[]>`
    /* settle webhook failed */ WITH failed AS (
      UPDATE webhook_deliveries SET status = 'failed', status_code = ${statusCode}, error = ${error}, settled_at = now()
      WHERE ${claimed(delivery)}
      RETURNING webhook_id, created_at
    )
    UPDATE webhooks w SET disabled_at = now(), disabled_reason = ${reason}
    FROM failed
    WHERE w.id = failed.webhook_id AND w.disabled_at IS NULL
      AND (${isGone} OR w.delivered_at IS NULL OR w.delivered_at < failed.created_at)
    RETURNING 1`;
  return disabled.length > 0;
}

const reasonOf = (attempts: number, statusCode: number | null, error: DeliveryError | null) =>
  `All ${attempts} delivery attempts failed; the last one with ${statusCode ?? error}.`;

/** Releases a claimed delivery as if it had not been attempted. */
export async function releaseDelivery(db: Database, delivery: ClaimedDelivery): Promise<void> {
  await db.$executeRaw`
    /* give webhook back */ UPDATE webhook_deliveries SET attempts = attempts - 1, next_at = now() WHERE ${claimed(delivery)}`;
}
