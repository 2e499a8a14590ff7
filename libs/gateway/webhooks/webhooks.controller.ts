import type { newWebhookSchema, webhookRotationSchema } from '#contracts/api/webhook-schemas.js';
import type { Caller } from '#db/repositories/tenants.js';
import { Controller, Param } from '@nestjs/common';
import type { z } from 'zod';
import { FromCaller, KeepingAnswer, keepView, Route, ValidBody, type KeepAnswer } from '../http/route.js';
import { deliveryView, webhookView } from './views.js';
import { WebhooksService, type CreatedWebhook } from './webhooks.service.js';

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
