import type { WebhookEvent } from '#contracts/api/webhook-schemas.js';
import type { Database } from '../client.js';
import type { Webhook, WebhookDelivery } from '../generated/client.js';

export type { Webhook, WebhookDelivery };

/** Webhooks that a tenant may have. */
export const MAX_WEBHOOKS = 20;

export interface NewWebhook {
  id: string;
  url: string;
  events: WebhookEvent[];
  description: string | null;
  /** As it is to be stored. */
  secret: string;
}

/** Where tenants want to be told of their runs, and what became of it. */
export class WebhookRepository {
  constructor(private readonly db: Database) {}

  /** Null when the tenant has as many as it may have. */
  async create(tenantId: string, webhook: NewWebhook): Promise<Webhook | null> {
    if ((await this.db.webhook.count({ where: { tenantId } })) >= MAX_WEBHOOKS) return null;
    return this.db.webhook.create({ data: { tenantId, ...webhook } });
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

  /** Newest first. */
  lastDeliveries(tenantId: string, webhookId: string, limit: number): Promise<WebhookDelivery[]> {
    return this.db.webhookDelivery.findMany({
      where: { tenantId, webhookId },
      orderBy: [{ createdAt: 'desc' }, { seq: 'desc' }],
      take: limit,
    });
  }

  /** False when the tenant has none of that id. */
  async remove(tenantId: string, webhookId: string): Promise<boolean> {
    const { count } = await this.db.webhook.deleteMany({ where: { id: webhookId, tenantId } });
    return count === 1;
  }

  /**
   * Takes a new secret into use; the one before it signs as well until the end given.
   *
   * @param webhook as it was read; null is returned when it was changed since
   */
  async replaceSecret(
    tenantId: string,
    { id, secret: previousSecret }: Webhook,
    secret: string,
    previousUntil: Date,
  ): Promise<Webhook | null> {
    const { count } = await this.db.webhook.updateMany({
      where: { id, tenantId, secret: previousSecret },
      data: { secret, previousSecret, previousUntil },
    });
    return count === 1 ? this.find(tenantId, id) : null;
  }

  /** Lets a webhook go on where it stopped, with all attempts anew for what had failed. Null when there is none. */
  async enable(tenantId: string, webhookId: string): Promise<Webhook | null> {
    await this.db.webhookDelivery.updateMany({
      where: { tenantId, webhookId, status: 'failed' },
      data: { status: 'pending', attempts: 0, nextAt: new Date(), settledAt: null },
    });
    await this.db.webhook.updateMany({
      where: { id: webhookId, tenantId },
      data: { disabledAt: null, disabledReason: null },
    });
    return this.find(tenantId, webhookId);
  }
}
