import { type Database, Prisma } from '#db/client.js';
import { asService } from '#db/tenant-scope.js';
import type { NotificationListener } from '#engine/events/listener.js';
import { EVENTS_CHANNEL } from '#engine/runs/event-log.js';
import type { Logger } from '#telemetry/logger.js';
import { processMetrics } from '#telemetry/metrics.js';
import {
  claimDeliveries,
  releaseDelivery,
  settleDelivered,
  settleFailed,
  settleRetried,
  type ClaimedDelivery,
  RETRY_POLICY,
  retryDelay,
  type RetryPolicy,
} from './deliveries.js';
import type { Attempt } from './post.js';
import { messageId, payloadOf, type WebhookSender } from './sender.js';
import { ACTIVE_STATUSES, CHANGES_SHOWN_STATUS, SHOWN_EVENT_STATUS } from '#db/shown-status.js';

/** Seconds between two scans of all runs of a webhook. */
const SCAN_SECONDS = 5;
/** Events of a transaction open for longer than this may be missed if `pg_stat_activity` does not show it. */
const MARGIN_SECONDS = 60;
/** Days for which settled deliveries are kept. */
const KEEP_DAYS = 7;

/**
 * Turns new events of a webhook into deliveries and advances its cursors in one statement, so that no event
 * is lost or delivered twice. Does not touch runs of tenants without webhooks, nor add to their writes.
 *
 * @param webhooks SQL condition on `webhooks w`
 * @param runs SQL condition on `runs r`; may refer to `w`
 */
const collect = (webhooks: Prisma.Sql, runs: Prisma.Sql) => Prisma.sql`
  /* collect for webhooks */ WITH moved AS (
    SELECT w.id AS webhook_id, w.tenant_id, w.events, w.created_at, r.id AS run_id, r.session_id, r.event_seq,
           coalesce(c.seq, 0) AS seen
    FROM webhooks w JOIN runs r ON r.tenant_id = w.tenant_id AND ${runs}
    LEFT JOIN webhook_cursors c ON c.webhook_id = w.id AND c.run_id = r.id
    WHERE w.disabled_at IS NULL AND ${webhooks} AND r.event_seq > coalesce(c.seq, 0)
  ),
  found AS (
    SELECT m.*, e.seq, e.at, e.data->>'decision_id' AS decision_id,
           CASE e.type WHEN 'run_status' THEN ${SHOWN_EVENT_STATUS} ELSE e.type END AS event,
           CASE WHEN e.type IN ('decision_required', 'decision_due') THEN 'needs_answer' ELSE ${SHOWN_EVENT_STATUS} END AS run_status
    FROM moved m JOIN run_events e ON e.run_id = m.run_id AND e.seq > m.seen AND e.seq <= m.event_seq
    WHERE e.type IN ('run_status', 'decision_required', 'decision_due', 'done') AND e.at >= m.created_at AND ${CHANGES_SHOWN_STATUS}
  ),
  added AS (
    INSERT INTO webhook_deliveries
      (webhook_id, run_id, seq, tenant_id, session_id, event, run_status, decision_id, at)
    SELECT webhook_id, run_id, seq, tenant_id, session_id, event, run_status, decision_id, at
    FROM found WHERE event = ANY(events) ORDER BY webhook_id, run_id, seq
    ON CONFLICT DO NOTHING
  )
  INSERT INTO webhook_cursors (webhook_id, run_id, seq)
  SELECT webhook_id, run_id, event_seq FROM moved ORDER BY webhook_id, run_id
  ON CONFLICT (webhook_id, run_id) DO UPDATE SET seq = greatest(webhook_cursors.seq, excluded.seq)`;

/** Collects the new events of the runs that notifications named. */
export async function collectRuns(db: Database, runIds: string[]): Promise<void> {
  await db.$executeRaw(collect(Prisma.sql`true`, Prisma.sql`r.id = ANY(${runIds})`));
}

/**
 * Collects events that notifications missed, for webhooks that no gateway has scanned recently: events of
 * active runs and of runs that ended since the last scan. Uses the database's clock, and stops at the start
 * of the oldest open transaction, because runs that it ends will have an earlier time.
 *
 * @returns whether any webhook is enabled
 */
export async function scan(db: Database): Promise<boolean> {
  const [state] = await db.$queryRaw<{ exists: boolean; until: Date }[]>`
    SELECT EXISTS (SELECT 1 FROM webhooks WHERE disabled_at IS NULL) AS exists,
      least(now(), (SELECT min(xact_start) FROM pg_stat_activity WHERE datname = current_database()))
        - make_interval(secs => ${MARGIN_SECONDS}) AS until`;
  if (!state!.exists) return false;
  const due = await db.$queryRaw<{ id: string }[]>`
    /* claim webhooks to scan */ UPDATE webhooks SET scanned_at = now()
    WHERE id IN (
      SELECT id FROM webhooks
      WHERE disabled_at IS NULL AND scanned_at < now() - make_interval(secs => ${SCAN_SECONDS})
      FOR UPDATE SKIP LOCKED)
    RETURNING id`;
  if (due.length === 0) return true;
  const ids = due.map(({ id }) => id);
  const isOpen = Prisma.sql`(r.status IN (${ACTIVE_STATUSES}) OR r.finished_at >= w.scanned_until)`;
  await db.$executeRaw(collect(Prisma.sql`w.id = ANY(${ids})`, isOpen));
  await db.$executeRaw`
    /* end scan of webhooks */ UPDATE webhooks SET scanned_until = greatest(scanned_until, ${state!.until}) WHERE id = ANY(${ids})`;
  return true;
}

/** Deletes deliveries that were settled more than `KEEP_DAYS` ago. */
async function sweepDeliveries(db: Database): Promise<void> {
  await db.$executeRaw`
    /* sweep webhook deliveries */ DELETE FROM webhook_deliveries WHERE settled_at < now() - make_interval(days => ${KEEP_DAYS})`;
}

/**
 * Concurrent deliveries of one process, in total and per webhook, so that a slow receiver delays only its
 * own.
 */
const CONCURRENCY = 32;
const CONCURRENCY_PER_WEBHOOK = 4;
const ROUND_MS = 1_000;
/** Time between two rounds while there is no webhook: each then only looks for one. */
const IDLE_ROUND_MS = SCAN_SECONDS * 1_000;
/** Notifications within this time are collected together. */
const GATHER_MS = 50;
const SWEEP_MS = 10 * 60_000;
/** Seconds after the time-out of an attempt until another process may try. */
const LEASE_MARGIN_SECONDS = 5;

/**
 * Delivers events of runs and sources to webhooks, at least once and in order per run and source. Every
 * gateway runs one. Deliveries are claimed row by row in PostgreSQL, so none is lost when a process dies.
 * Notifications make it fast; the scan makes it complete.
 */
export class WebhookDispatcher {
  private readonly stopping = new AbortController();
  private readonly newsOf = new Set<string>();
  /** Number of deliveries in progress, by webhook. */
  private readonly underWay = new Map<string, number>();
  private readonly sending = new Set<Promise<void>>();
  private hasWebhooks = true;
  private scannedAt = 0;
  private sweptAt = 0;
  private timer: NodeJS.Timeout | undefined;
  private wakesAt = Infinity;
  private round: Promise<void> | null = null;
  private unsubscribe: (() => void) | null = null;

  constructor(
    private readonly db: Database,
    private readonly listener: NotificationListener,
    private readonly sender: WebhookSender,
    private readonly log: Pick<Logger, 'warn' | 'info'>,
    private readonly policy: RetryPolicy = RETRY_POLICY,
  ) {}

  start(): void {
    this.unsubscribe = this.listener.on(EVENTS_CHANNEL, (runId) => {
      if (!this.hasWebhooks) return;
      this.newsOf.add(runId);
      this.wake(GATHER_MS);
    });
    this.wake(0);
  }

  /** Claims no more deliveries and releases those in progress. */
  async stop(): Promise<void> {
    this.unsubscribe?.();
    this.stopping.abort();
    clearTimeout(this.timer);
    await this.round;
    await Promise.all(this.sending);
  }

  /** Schedules a round within the given time; rounds do not overlap. */
  private wake(afterMs: number): void {
    const at = Date.now() + afterMs;
    if (this.stopping.signal.aborted || at >= this.wakesAt) return;
    this.wakesAt = at;
    if (this.round) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.beginRound(), afterMs);
  }

  private beginRound(): void {
    this.wakesAt = Date.now() + (this.hasWebhooks ? ROUND_MS : IDLE_ROUND_MS);
    this.round = asService(() => this.doRound())
      .catch((error: unknown) => this.log.warn({ err: error }, 'webhook scan failed; will retry'))
      .finally(() => {
        this.round = null;
        const soon = Math.max(0, this.wakesAt - Date.now());
        this.wakesAt = Infinity;
        this.wake(soon);
      });
  }

  private async doRound(): Promise<void> {
    const now = Date.now();
    if (!this.hasWebhooks || now - this.scannedAt >= SCAN_SECONDS * 1_000) {
      this.hasWebhooks = await scan(this.db);
      this.scannedAt = now;
    }
    if (now - this.sweptAt >= SWEEP_MS) {
      await sweepDeliveries(this.db);
      this.sweptAt = now;
    }
    const news = [...this.newsOf];
    this.newsOf.clear();
    if (!this.hasWebhooks) return;
    if (news.length > 0) await collectRuns(this.db, news);
    await this.sendDue();
  }

  private async sendDue(): Promise<void> {
    while (this.sending.size < CONCURRENCY && !this.stopping.signal.aborted) {
      const busy = [...this.underWay]
        .filter(([, count]) => count >= CONCURRENCY_PER_WEBHOOK)
        .map(([id]) => id);
      const free = CONCURRENCY - this.sending.size;
      const lease = this.policy.timeoutSeconds + LEASE_MARGIN_SECONDS;
      const deliveries = await claimDeliveries(this.db, free, lease, busy);
      if (deliveries.length === 0) return;
      for (const delivery of deliveries) this.begin(delivery);
    }
  }

  private begin(delivery: ClaimedDelivery): void {
    const { webhook_id: webhookId } = delivery;
    this.underWay.set(webhookId, (this.underWay.get(webhookId) ?? 0) + 1);
    const sent = this.deliver(delivery)
      .catch((error: unknown) =>
        this.log.warn(
          { err: error, webhook_id: webhookId },
          'failed to record a webhook delivery; will retry',
        ),
      )
      .finally(() => {
        const count = this.underWay.get(webhookId)! - 1;
        if (count > 0) this.underWay.set(webhookId, count);
        else this.underWay.delete(webhookId);
        this.sending.delete(sent);
        this.wake(0);
      });
    this.sending.add(sent);
  }

  private async deliver(delivery: ClaimedDelivery): Promise<void> {
    const { webhook_id: webhookId, url, secrets, seq } = delivery;
    const id = messageId(delivery.run_id ?? delivery.source_id, seq);
    const { signal } = this.stopping;
    let attempt: Attempt;
    try {
      const target = { webhookId, url, secrets };
      attempt = await this.sender.send(target, id, payloadOf(delivery), signal);
    } catch (error) {
      if (signal.aborted) return releaseDelivery(this.db, delivery);
      throw error;
    }
    await this.settle(delivery, attempt);
  }

  private async settle(delivery: ClaimedDelivery, attempt: Attempt): Promise<void> {
    const { statusCode, error } = attempt;
    const delay = statusCode === 410 ? null : retryDelay(this.policy, delivery.attempts);
    const outcome = error === null ? 'delivered' : delay === null ? 'failed' : 'retried';
    processMetrics.webhookAttempts.inc({ outcome });
    if (error === null) return settleDelivered(this.db, delivery, statusCode!);
    if (delay !== null) return settleRetried(this.db, delivery, attempt, delay);
    if (await settleFailed(this.db, delivery, attempt))
      this.log.warn(
        { webhook_id: delivery.webhook_id, status_code: statusCode, error },
        'disabled the webhook',
      );
  }
}
