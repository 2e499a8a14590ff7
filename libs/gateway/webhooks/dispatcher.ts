import type { Database } from '#db/client.js';
import { asService } from '#db/tenant-scope.js';
import type { NotificationListener } from '#engine/events/listener.js';
import { EVENTS_CHANNEL } from '#engine/events/event-log.js';
import type { Logger } from '#telemetry/logger.js';
import { processMetrics } from '#telemetry/metrics.js';
import { collectRuns, scan, SCAN_SECONDS, sweepDeliveries } from './collect.js';
import {
  claimDeliveries,
  releaseDelivery,
  settleDelivered,
  settleFailed,
  settleRetried,
  type ClaimedDelivery,
} from './deliveries.js';
import type { Attempt } from './post.js';
import { RETRY_POLICY, retryDelay, type RetryPolicy } from './retry-policy.js';
import { messageId, payloadOf, type WebhookSender } from './sender.js';

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
