import type { Webhook, WebhookDelivery } from '#db/repositories/webhooks.js';
import { messageId } from './sender.js';

/** Returns the API view of a webhook, without its secret. */
export const webhookView = (row: Webhook) => ({
  id: row.id,
  url: row.url,
  events: row.events,
  description: row.description,
  created_at: row.createdAt.toISOString(),
  last_delivered_at: row.deliveredAt?.toISOString() ?? null,
  disabled_at: row.disabledAt?.toISOString() ?? null,
  disabled_reason: row.disabledReason,
  previous_secret_until:
    row.previousUntil !== null && row.previousUntil.getTime() > Date.now()
      ? row.previousUntil.toISOString()
      : null,
});

export const deliveryView = (row: WebhookDelivery) => ({
  id: messageId((row.runId ?? row.sourceId)!, row.seq),
  event: row.event,
  run_id: row.runId,
  source_id: row.sourceId,
  collection_id: row.collectionId,
  seq: row.seq,
  status: row.status,
  attempts: row.attempts,
  status_code: row.statusCode,
  error: row.error,
  created_at: row.createdAt.toISOString(),
  next_attempt_at: row.status === 'pending' ? row.nextAt.toISOString() : null,
});
