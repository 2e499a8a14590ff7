import { webhookDeliverySchema, webhookSchema } from '#contracts/api/webhook-schemas.js';
import { view } from '../http/view.js';
import type { newWebhookSchema, webhookRotationSchema } from '#contracts/api/webhook-schemas.js';
import type { Caller } from '#db/repositories/tenants.js';
import { Controller, Param } from '@nestjs/common';
import type { z } from 'zod';
import { FromCaller, KeepingAnswer, keepView, Route, ValidBody, type KeepAnswer } from '../http/route.js';
import { WebhooksService, type CreatedWebhook } from './webhooks.service.js';
import type { Webhook, WebhookDelivery } from '#db/repositories/webhooks.js';
import { messageId } from './sender.js';

const createdView = ({ row, secret }: CreatedWebhook) => ({ ...webhookView(row), secret });

@Controller()
export class WebhooksController {
  constructor(private readonly webhooks: WebhooksService) {}

  @Route('createWebhook')
  async create(
    @FromCaller() { tenantId }: Caller,
    @ValidBody('createWebhook') body: z.infer<typeof newWebhookSchema>,
    @KeepingAnswer() keepAnswer: KeepAnswer,
  ) {
    return createdView(await this.webhooks.create(tenantId, body, keepView(keepAnswer, createdView)));
  }

  @Route('listWebhooks')
  async list(@FromCaller() { tenantId }: Caller) {
    return { items: (await this.webhooks.list(tenantId)).map(webhookView) };
  }

  @Route('getWebhook')
  async get(@FromCaller() { tenantId }: Caller, @Param('webhook_id') webhookId: string) {
    const webhook = await this.webhooks.require(tenantId, webhookId);
    const deliveries = await this.webhooks.lastDeliveries(tenantId, webhookId);
    return { ...webhookView(webhook), deliveries: deliveries.map(deliveryView) };
  }

  @Route('deleteWebhook')
  async remove(@FromCaller() { tenantId }: Caller, @Param('webhook_id') webhookId: string) {
    await this.webhooks.remove(tenantId, webhookId);
  }

  @Route('rotateWebhook')
  async rotate(
    @FromCaller() { tenantId }: Caller,
    @Param('webhook_id') webhookId: string,
    @ValidBody('rotateWebhook') { grace_seconds }: z.infer<typeof webhookRotationSchema>,
    @KeepingAnswer() keepAnswer: KeepAnswer,
  ) {
    return createdView(
      await this.webhooks.rotate(tenantId, webhookId, grace_seconds, keepView(keepAnswer, createdView)),
    );
  }

  @Route('testWebhook')
  async test(@FromCaller() { tenantId }: Caller, @Param('webhook_id') webhookId: string) {
    const { statusCode, error } = await this.webhooks.ping(tenantId, webhookId);
    return { delivered: error === null, status_code: statusCode, error };
  }

  @Route('enableWebhook')
  async enable(@FromCaller() { tenantId }: Caller, @Param('webhook_id') webhookId: string) {
    return webhookView(await this.webhooks.enable(tenantId, webhookId));
  }
}

/** Returns the API view of a webhook, without its secret. */
const webhookView = (row: Webhook) =>
  view(webhookSchema, row, {
    last_delivered_at: row.deliveredAt?.toISOString() ?? null,
    previous_secret_until:
      row.previousUntil !== null && row.previousUntil.getTime() > Date.now()
        ? row.previousUntil.toISOString()
        : null,
  });

const deliveryView = (row: WebhookDelivery) =>
  view(webhookDeliverySchema, row, {
    id: messageId((row.runId ?? row.sourceId)!, row.seq),
    next_attempt_at: row.status === 'pending' ? row.nextAt.toISOString() : null,
  });
