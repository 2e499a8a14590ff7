import { z } from 'zod';
import { nameSchema } from '../names.js';
import { runStatuses, runStatusSchema } from '../runs.js';

/** What a webhook can be told: each change of a run's status, each question to a person, and the end of a run. */
export const webhookEvents = [...runStatuses, 'decision_required', 'done'] as const;
export const webhookEventSchema = z.enum(webhookEvents);
export type WebhookEvent = z.infer<typeof webhookEventSchema>;

/** The longest time that a replaced secret signs beside its successor, in seconds. */
const MAX_GRACE_SECONDS = 7 * 24 * 3_600;
const timestamp = z.iso.datetime();

export const webhookSchema = z
  .object({
    id: z.string(),
    url: z.string(),
    events: z.array(webhookEventSchema),
    description: z.string().nullable(),
    created_at: timestamp,
    last_delivered_at: timestamp.nullable(),
    disabled_at: timestamp
      .nullable()
      .meta({ description: 'since when nothing is sent; POST …/enable lets it go on' }),
    disabled_reason: z.string().nullable(),
    previous_secret_until: timestamp
      .nullable()
      .meta({ description: 'until when the replaced secret signs as well' }),
  })
  .meta({ id: 'Webhook' });

export const newWebhookSchema = z
  .object({
    url: z
      .string()
      .min(1)
      .max(2_048)
      .meta({ description: 'https, on a host with public addresses, without credentials' }),
    events: z
      .array(webhookEventSchema)
      .min(1)
      .max(webhookEvents.length)
      .default([...webhookEvents])
      .meta({ description: 'without it all of them' }),
    description: nameSchema(200).optional(),
  })
  .strict()
  .meta({ id: 'NewWebhook' });

export const createdWebhookSchema = webhookSchema
  .extend({ secret: z.string().meta({ description: 'signs the requests (whsec_…): shown this once' }) })
  .meta({ id: 'CreatedWebhook' });

export const webhookRotationSchema = z
  .object({
    grace_seconds: z
      .number()
      .int()
      .min(0)
      .max(MAX_GRACE_SECONDS)
      .default(24 * 3_600)
      .meta({
        description: 'for how long the old secret signs beside the new one',
      }),
  })
  .strict()
  .meta({ id: 'WebhookRotation' });

/** Why an attempt came to nothing; the answer's body is never shown. */
export const deliveryErrors = [
  'bad_status',
  'timeout',
  'connection_failed',
  'url_refused',
  'secret_unreadable',
] as const;
export type DeliveryError = (typeof deliveryErrors)[number];
const deliveryErrorSchema = z.enum(deliveryErrors);

export const webhookDeliverySchema = z
  .object({
    id: z.string().meta({ description: 'the header webhook-id: the same in every attempt' }),
    event: webhookEventSchema,
    run_id: z.string(),
    seq: z.number().int(),
    status: z.enum(['pending', 'delivered', 'failed']),
    attempts: z.number().int(),
    status_code: z.number().int().nullable().meta({ description: 'of the last attempt' }),
    error: deliveryErrorSchema.nullable(),
    created_at: timestamp,
    next_attempt_at: timestamp.nullable(),
  })
  .meta({ id: 'WebhookDelivery' });

export const webhookWithDeliveriesSchema = webhookSchema
  .extend({ deliveries: z.array(webhookDeliverySchema) })
  .meta({ id: 'WebhookWithDeliveries' });

export const webhookTestSchema = z
  .object({
    delivered: z.boolean(),
    status_code: z.number().int().nullable(),
    error: deliveryErrorSchema.nullable(),
  })
  .meta({ id: 'WebhookTest' });

/** The body of a request about a run: ids and states, never a tenant's text. */
export const webhookPayloadSchema = z
  .object({
    type: z.enum(webhookEvents.map((event) => `run.${event}` as const)),
    timestamp: timestamp.meta({ description: 'when it happened' }),
    data: z.object({
      run_id: z.string(),
      session_id: z.string(),
      status: runStatusSchema.meta({ description: 'of the run, at that event' }),
      seq: z.number().int().meta({ description: 'of the event, in the log of the run' }),
      decision_id: z.string().optional().meta({ description: 'of decision_required' }),
    }),
  })
  .meta({ id: 'WebhookPayload' });
export type WebhookPayload = z.infer<typeof webhookPayloadSchema>;
