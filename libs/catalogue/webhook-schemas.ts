import { z } from 'zod';
import { sourceStates, type SourceState } from '#knowledge/contract.js';
import { nameSchema } from '#contracts/names.js';
import { runStatuses, runStatusSchema } from '#contracts/runs.js';

export type { SourceState };

/** Events of runs: each status change, each question to a person, the reminder of it, and the end. */
const runWebhookEvents = [...runStatuses, 'decision_required', 'decision_due', 'done'] as const;
/** Events of sources: searchable, or failed (`GET` of the source returns the reason). */
const sourceWebhookEvents = ['source_ready', 'source_failed'] as const;
export const webhookEvents = [...runWebhookEvents, ...sourceWebhookEvents] as const;
export const webhookEventSchema = z.enum(webhookEvents);
export type WebhookEvent = z.infer<typeof webhookEventSchema>;

/** Maximum time that a replaced secret still signs, in seconds. */
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
      .describe('time since which nothing is sent; POST …/enable reactivates it'),
    disabled_reason: z.string().nullable(),
    previous_secret_until: timestamp.nullable().describe('time until which the replaced secret also signs'),
  })
  .meta({ id: 'Webhook' });

export const newWebhookSchema = z
  .object({
    url: z.string().min(1).max(2_048).describe('https, on a host with public addresses, without credentials'),
    events: z
      .array(webhookEventSchema)
      .min(1)
      .max(webhookEvents.length)
      .default([...webhookEvents])
      .describe('default: all of them'),
    description: nameSchema(200).optional(),
  })
  .strict()
  .meta({ id: 'NewWebhook' });

export const createdWebhookSchema = webhookSchema
  .extend({
    secret: z.string().describe('secret that signs the requests (whsec_…); shown only once'),
  })
  .meta({ id: 'CreatedWebhook' });

export const webhookRotationSchema = z
  .object({
    grace_seconds: z
      .number()
      .int()
      .min(0)
      .max(MAX_GRACE_SECONDS)
      .default(24 * 3_600)
      .describe('how long the old secret also signs requests'),
  })
  .strict()
  .meta({ id: 'WebhookRotation' });

/** Reasons why a delivery failed; the body of the response is never shown. */
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
    id: z.string().describe('value of the header webhook-id; the same in every attempt'),
    event: webhookEventSchema,
    run_id: z.string().nullable().describe('null for an event of a source'),
    source_id: z.string().nullable().describe('null for an event of a run'),
    collection_id: z.string().nullable().describe('of the source'),
    seq: z.number().int(),
    status: z.enum(['pending', 'delivered', 'failed']),
    attempts: z.number().int(),
    status_code: z.number().int().nullable().describe('of the last attempt'),
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

/** Returns the type of a message about a source, such as `source.ready`. */
const sourceType = (event: (typeof sourceWebhookEvents)[number]) =>
  event.replace('_', '.') as 'source.ready' | 'source.failed';

const happenedAt = timestamp.describe('when it happened');
const runPayloadSchema = z
  .object({
    type: z.enum(runWebhookEvents.map((event) => `run.${event}` as const)),
    timestamp: happenedAt,
    data: z.object({
      run_id: z.string(),
      session_id: z.string(),
      status: runStatusSchema.describe('of the run, at that event'),
      seq: z.number().int().describe('of the event, in the log of the run'),
      decision_id: z.string().optional().describe('of decision_required and decision_due'),
      page: z
        .string()
        .optional()
        .describe('page of the decision in the studio, relative to the URL of the service'),
    }),
  })
  .meta({ id: 'RunWebhookPayload' });
const sourcePayloadSchema = z
  .object({
    type: z.enum(sourceWebhookEvents.map(sourceType)),
    timestamp: happenedAt,
    data: z.object({
      source_id: z.string(),
      collection_id: z.string(),
      state: z.enum(sourceStates),
      seq: z.number().int().describe('increases with each attempt to index the source'),
    }),
  })
  .meta({ id: 'SourceWebhookPayload' });

/** Body of a webhook request: IDs and states, never a tenant's text. */
export const webhookPayloadSchema = z
  .union([runPayloadSchema, sourcePayloadSchema])
  .meta({ id: 'WebhookPayload' });
export type WebhookPayload = z.infer<typeof webhookPayloadSchema>;
export type RunWebhookType = z.infer<typeof runPayloadSchema>['type'];
