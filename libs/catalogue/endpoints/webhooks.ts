import { listOf } from '#contracts/api/schemas.js';
import * as webhooks from '../webhook-schemas.js';
import { defineEndpoints } from '#contracts/api/endpoints/endpoint.js';

/** Operations with the tag `webhooks`. */
export const webhooksEndpoints = defineEndpoints('webhooks', {
  createWebhook: {
    method: 'POST',
    path: '/api/webhooks',
    summary:
      'Create a webhook, which reports on runs and sources of the tenant in signed requests (Standard Webhooks)',
    scope: 'admin',
    body: webhooks.newWebhookSchema,
    status: 201,
    response: webhooks.createdWebhookSchema,
    shownOnce: 'secret',
    errors: ['webhook_url_refused', 'too_many_webhooks'],
  },
  listWebhooks: {
    method: 'GET',
    path: '/api/webhooks',
    summary: 'List all webhooks, newest first (a tenant may have 20)',
    scope: 'admin',
    response: listOf(webhooks.webhookSchema),
  },
  getWebhook: {
    method: 'GET',
    path: '/api/webhooks/:webhook_id',
    summary: 'Read a webhook with its last deliveries, newest first',
    scope: 'admin',
    response: webhooks.webhookWithDeliveriesSchema,
  },
  deleteWebhook: {
    method: 'DELETE',
    path: '/api/webhooks/:webhook_id',
    summary: 'Delete a webhook and its undelivered requests',
    scope: 'admin',
  },
  rotateWebhook: {
    method: 'POST',
    path: '/api/webhooks/:webhook_id/rotate',
    summary: 'Rotate the signing secret; during the grace period, requests are signed with both',
    scope: 'admin',
    body: webhooks.webhookRotationSchema,
    response: webhooks.createdWebhookSchema,
    shownOnce: 'secret',
  },
  testWebhook: {
    method: 'POST',
    path: '/api/webhooks/:webhook_id/test',
    summary: 'Send a ping and read the result',
    scope: 'admin',
    response: webhooks.webhookTestSchema,
  },
  enableWebhook: {
    method: 'POST',
    path: '/api/webhooks/:webhook_id/enable',
    summary: 'Reactivate a disabled webhook where it stopped; failed deliveries are retried',
    scope: 'admin',
    response: webhooks.webhookSchema,
  },
});
