import { webhookDeliverySchema, webhookSchema } from '#catalogue/webhook-schemas.js';
import { view } from '../http/view.js';
import { Controller } from '@nestjs/common';
import { KeepingAnswer, keepView, Route, type KeepAnswer, type EndpointRequest } from '../http/route.js';
import { WebhooksService, type CreatedWebhook } from './webhooks.service.js';
import type { Webhook, WebhookDelivery } from '#db/repositories/webhooks.js';
import { messageId } from './sender.js';

const createdView = ({ row, secret }: CreatedWebhook) => ({ ...webhookView(row), secret });

@Controller()
export class WebhooksController {
  constructor(private readonly webhooks: WebhooksService) {}

  @Route('createWebhook')
  async create(
    { tenantId, body }: EndpointRequest<'createWebhook'>,
    @KeepingAnswer() keepAnswer: KeepAnswer,
  ) {
    return createdView(await this.webhooks.create(tenantId, body, keepView(keepAnswer, createdView)));
  }

  @Route('listWebhooks')
  async list({ tenantId }: EndpointRequest<'listWebhooks'>) {
    return { items: (await this.webhooks.list(tenantId)).map(webhookView) };
  }

  @Route('getWebhook')
  async get({ tenantId, params: { webhook_id: webhookId } }: EndpointRequest<'getWebhook'>) {
    const webhook = await this.webhooks.require(tenantId, webhookId);
    const deliveries = await this.webhooks.lastDeliveries(tenantId, webhookId);
    return { ...webhookView(webhook), deliveries: deliveries.map(deliveryView) };
  }

  @Route('deleteWebhook')
  async remove({ tenantId, params: { webhook_id: webhookId } }: EndpointRequest<'deleteWebhook'>) {
    await this.webhooks.remove(tenantId, webhookId);
  }

  @Route('rotateWebhook')
  async rotate(
    {
      tenantId,
      params: { webhook_id: webhookId },
      body: { grace_seconds },
    }: EndpointRequest<'rotateWebhook'>,
    @KeepingAnswer() keepAnswer: KeepAnswer,
  ) {
    return createdView(
      await this.webhooks.rotate(tenantId, webhookId, grace_seconds, keepView(keepAnswer, createdView)),
    );
  }

  @Route('testWebhook')
  async test({ tenantId, params: { webhook_id: webhookId } }: EndpointRequest<'testWebhook'>) {
    const { statusCode, error } = await this.webhooks.ping(tenantId, webhookId);
    return { delivered: error === null, status_code: statusCode, error };
  }

  @Route('enableWebhook')
  async enable({ tenantId, params: { webhook_id: webhookId } }: EndpointRequest<'enableWebhook'>) {
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
