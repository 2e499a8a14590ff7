import type { WebhookEvent } from '#catalogue/webhook-schemas.js';
import { noop, type BeforeCommit, type Database } from '../client.js';
import type { Webhook, WebhookDelivery } from '../generated/client.js';
import { lockTenant } from '../lock-tenant.js';

export type { Webhook, WebhookDelivery };

/** Maximum webhooks of a tenant. */
export const MAX_WEBHOOKS = 20;

/** A delivery that is due within this many seconds may be in progress, so its attempts are not reset. */
const SOON_SECONDS = 20;

interface NewWebhook {
  id: string;
  url: string;
  events: WebhookEvent[];
  description: string | null;
  /** Secret in its stored form. */
  secret: string;
}

/** Webhooks of tenants and their deliveries. */
export class WebhookRepository {
  constructor(private readonly db: Database) {}

  /** Creates a webhook; null if the tenant has reached the limit. */
  create(
    tenantId: string,
    webhook: NewWebhook,
    beforeCommit: BeforeCommit<Webhook> = noop,
  ): Promise<Webhook | null> {
    return this.db.$transaction(async (tx) => {
      // Create one at a time, so that concurrent requests cannot exceed the limit.
      await lockTenant(tx, tenantId);
      if ((await tx.webhook.count({ where: { tenantId } })) >= MAX_WEBHOOKS) return null;
      const row = await tx.webhook.create({ data: { tenantId, ...webhook } });
      await beforeCommit(tx, row);
      return row;
    });
  }

  list(tenantId: string): Promise<Webhook[]> {
    return this.db.webhook.findMany({
      where: { tenantId },
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    });
  }

  find(tenantId: string, webhookId: string): Promise<Webhook | null> {
    return this.db.webhook.findFirst({ where: { id: webhookId, tenantId } });
  }

  /** Returns the last deliveries, newest first. */
  lastDeliveries(tenantId: string, webhookId: string, limit: number): Promise<WebhookDelivery[]> {
    return this.db.webhookDelivery.findMany({
      where: { tenantId, webhookId },
      orderBy: [{ createdAt: 'desc' }, { seq: 'desc' }],
      take: limit,
    });
  }

  /** Deletes a webhook; false if the tenant has no such webhook. */
  async remove(tenantId: string, webhookId: string): Promise<boolean> {
    const { count } = await this.db.webhook.deleteMany({ where: { id: webhookId, tenantId } });
    return count === 1;
  }

  /**
   * Activates a new secret; the previous one also signs until `previousUntil`. Null if the tenant has no such
   * webhook.
   */
  replaceSecret(
    tenantId: string,
    webhookId: string,
    secret: string,
    previousUntil: Date,
    beforeCommit: BeforeCommit<Webhook> = noop,
  ): Promise<Webhook | null> {
    return this.db.$transaction(async (tx) => {
      await tx.$queryRaw`SELECT id FROM webhooks WHERE id = ${webhookId} AND tenant_id = ${tenantId} FOR UPDATE`;
      const before = await tx.webhook.findFirst({ where: { id: webhookId, tenantId } });
      if (!before) return null;
      const data = { secret, previousSecret: before.secret, previousUntil };
      const row = await tx.webhook.update({ where: { id: webhookId }, data });
      await beforeCommit(tx, row);
      return row;
    });
  }

  /**
   * Enables a webhook and resets the attempts of deliveries that failed or wait for a later attempt. Null if
   * the tenant has no such webhook.
   */
  async enable(tenantId: string, webhookId: string): Promise<Webhook | null> {
    // Use the database's clock, which determines when a delivery is due.
    await this.db.$executeRaw`
      /* retry deliveries */ UPDATE webhook_deliveries SET status = 'pending', attempts = 0, next_at = now(), settled_at = NULL
      WHERE tenant_id = ${tenantId} AND webhook_id = ${webhookId}
        AND (status = 'failed' OR (status = 'pending' AND next_at > now() + make_interval(secs => ${SOON_SECONDS})))`;
    await this.db.webhook.updateMany({
      where: { id: webhookId, tenantId },
      data: { disabledAt: null, disabledReason: null },
    });
    return this.find(tenantId, webhookId);
  }
}
