import { WEB_PROTOCOL } from '#contracts/text.js';
import { z } from 'zod';
import { nameSchema } from '#contracts/names.js';
import { phraseSchema } from '#contracts/phrases/schema.js';
import { newRunSchema } from './run-schemas.js';
import { savedPlanRunSchema, type SavedPlanRun } from '#plan/contract/saved-plan-schemas.js';

export type { SavedPlanRun };

const timestamp = z.iso.datetime();

/** What happens if the session still has an active run at a planned time. */
export const overlaps = ['skip', 'queue', 'cancel_previous'] as const;
/** What happens to planned times that passed while the service did not run. */
export const missedTimes = ['once', 'all', 'none'] as const;
export const firingStatuses = ['waiting', 'due', 'started', 'done', 'skipped', 'failed'] as const;

const timing = {
  cron: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('five fields: minute, hour, day of month, month, day of week; or every_seconds'),
  every_seconds: z.number().int().min(60).max(31_536_000).optional(),
  time_zone: z
    .string()
    .min(1)
    .max(100)
    .default('UTC')
    .describe(
      'IANA name, such as Europe/Warsaw. At a clock change, a skipped time is planned for the minute after it, and one that occurs twice once',
    ),
  until: timestamp.optional().describe('no run is planned after this time'),
};

const hasOneTiming = ({ cron, every_seconds: every }: { cron?: unknown; every_seconds?: unknown }) =>
  (cron === undefined) !== (every === undefined);
const ONE_TIMING = { message: 'pass either "cron" or "every_seconds"', path: ['cron'] };

export const schedulePreviewSchema = z
  .object(timing)
  .strict()
  .refine(hasOneTiming, ONE_TIMING)
  .meta({ id: 'SchedulePreview' });

const id = z.string().min(1).max(100);

export const scheduledPlanSchema = savedPlanRunSchema
  .extend({
    saved_plan_id: id,
    event_parameters: z
      .record(z.string().max(100), z.string().max(500).regex(/^\//, 'must be a JSON pointer'))
      .optional()
      .describe(
        'parameters with values from the event, by JSON pointers (RFC 6901). Of a webhook: `/id`, `/body` and ' +
          'parts such as `/body/customer`, and `/file`, an input file with the body; of a new file: `/name`, ' +
          '`/file` (of a session), `/id`, `/sha256`; of an object: `/name`, `/file`, `/id` (its key), `/etag`, `/size`',
      ),
  })
  .meta({ id: 'ScheduledPlan' });
export type ScheduledPlan = z.infer<typeof scheduledPlanSchema>;

/** Where objects of a bucket are looked for. */
const bucketSourceSchema = z
  .object({
    endpoint: z
      .url({ protocol: /^https?$/ })
      .max(500)
      .describe('of the region if there are several, such as https://s3.eu-central-1.amazonaws.com'),
    region: z.string().min(1).max(100).default('us-east-1'),
    bucket: z.string().min(1).max(100),
    prefix: z.string().max(1_000).default(''),
    access_key_id: z.string().min(1).max(200),
  })
  .strict();
export type BucketSource = z.infer<typeof bucketSourceSchema>;
const secretAccessKey = z.string().min(1).max(500).describe('is stored sealed, and never returned');

/** Events that start a run; exactly one. */
export const eventSourceSchema = z
  .object({
    webhook: z
      .object({})
      .strict()
      .optional()
      .describe(
        'signed requests to POST /api/triggers/{schedule_id}/deliveries; the response contains the secret',
      ),
    new_file: z
      .object({ session_id: id.optional(), collection_id: id.optional() })
      .strict()
      .refine((place) => Object.keys(place).length === 1, 'must name a session or a collection')
      .optional()
      .describe(
        'an input of the session, or a source of the collection once it is indexed; new by hash and name',
      ),
    s3_prefix: bucketSourceSchema
      .extend({ secret_access_key: secretAccessKey })
      .optional()
      .describe(
        'an object of an S3 bucket under the prefix that was not there when the trigger was made or resumed; new by ' +
          'key and ETag. It is looked for each minute, or as `every_seconds` says. Needs FETCH_URL',
      ),
  })
  .strict()
  .refine((events) => Object.keys(events).length === 1, 'must name one kind of event')
  .meta({ id: 'EventSource' });
export type EventSource = z.infer<typeof eventSourceSchema>;
/** As it is stored: without the secret. */
export type StoredEventSource = Omit<EventSource, 's3_prefix'> & { s3_prefix?: BucketSource };

/** Maximum number of addresses that a sync adds. */
const MAX_URLS = 200;

export const newSyncSchema = z
  .object({
    urls: z
      .array(z.url({ protocol: WEB_PROTOCOL }).max(2_000))
      .max(MAX_URLS)
      .default([])
      .describe('pages to add, unless the collection contains them'),
  })
  .strict()
  .meta({ id: 'NewCollectionSync' });

/** Reads the pages of a collection again. */
export const collectionSyncSchema = newSyncSchema
  .extend({ collection_id: id })
  .meta({ id: 'CollectionSync' });
export type CollectionSync = z.infer<typeof collectionSyncSchema>;

/** What a schedule starts, as it is stored. */
export const scheduledStartSchema = z.union([
  z.object({ run: newRunSchema }),
  z.object({ saved_plan: scheduledPlanSchema }),
  z.object({ sync: collectionSyncSchema }),
]);

const missed = z
  .enum(missedTimes)
  .default('once')
  .describe(
    'planned times that passed while the service did not run: start one run for all of them, one for each (at ' +
      'most the last 100), or none',
  );

/** A schedule of a saved plan with its own configuration. */
export const planScheduleSchema = z
  .object({
    name: nameSchema(100),
    saved_plan: scheduledPlanSchema.omit({ config: true, event_parameters: true }),
    ...timing,
    missed,
  })
  .strict()
  .refine(hasOneTiming, ONE_TIMING);

export const newScheduleSchema = z
  .object({
    name: nameSchema(100),
    start: newRunSchema
      .optional()
      .describe('the run, as for POST /api/agents/runs; `overlap` replaces its on_conflict. Or saved_plan'),
    saved_plan: scheduledPlanSchema
      .optional()
      .describe('the plan, as for POST /api/saved-plans/{id}/runs; it never waits for another run'),
    sync: collectionSyncSchema
      .optional()
      .describe(
        'the collection whose pages are read again: changed ones are replaced, none is deleted. Needs FETCH_URL',
      ),
    on: eventSourceSchema
      .optional()
      .describe('events instead of times: each starts one run, also if it is reported more than once'),
    ...timing,
    overlap: z
      .enum(overlaps)
      .optional()
      .describe(
        'if the session has an active run: skip this one (default), wait (default for events), or cancel the active run',
      ),
    missed,
  })
  .strict()
  .refine(
    ({ cron, every_seconds: every, on }) =>
      [cron, on?.s3_prefix ? undefined : every, on].filter(Boolean).length === 1,
    {
      message: 'pass one of "cron", "every_seconds" and "on"',
      path: ['cron'],
    },
  )
  .refine(({ on, until }) => on === undefined || until === undefined, {
    message: 'needs "cron" or "every_seconds"',
    path: ['until'],
  })
  .refine(({ on, saved_plan: plan }) => on !== undefined || plan?.event_parameters === undefined, {
    message: 'needs "on"',
    path: ['saved_plan', 'event_parameters'],
  })
  .refine((given) => [given.start, given.saved_plan, given.sync].filter(Boolean).length === 1, {
    message: 'pass one of "start", "saved_plan" and "sync"',
    path: ['start'],
  })
  .refine(({ start, overlap = 'skip' }) => start !== undefined || overlap === 'skip', {
    message: 'must be skip unless "start" is given',
    path: ['overlap'],
  })
  .refine(({ start, missed, overlap = 'skip' }) => !start || missed !== 'all' || overlap !== 'skip', {
    message: 'must not be all if overlapping runs are skipped',
    path: ['missed'],
  })
  .meta({ id: 'NewSchedule' });

export const scheduleChangesSchema = z
  .object({ name: nameSchema(100), is_paused: z.boolean() })
  .partial()
  .strict()
  .refine((changes) => Object.keys(changes).length > 0, 'must change at least one field')
  .meta({ id: 'ScheduleChanges' });

export const scheduleSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    start: z.record(z.string(), z.unknown()).nullable().describe('null for a saved plan or a sync'),
    saved_plan: z.record(z.string(), z.unknown()).nullable(),
    sync: collectionSyncSchema.nullable(),
    on: z.record(z.string(), z.unknown()).nullable().describe('events that start it'),
    cron: z.string().nullable().describe('without it and every_seconds, it starts only when it is asked to'),
    every_seconds: z.number().int().nullable(),
    time_zone: z.string(),
    until: timestamp.nullable(),
    overlap: z.enum(overlaps),
    missed: z.enum(missedTimes),
    paused_at: timestamp.nullable(),
    next_at: timestamp.nullable().describe('null while it is paused, and after its end'),
    created_at: timestamp,
  })
  .meta({ id: 'Schedule' });

export const createdScheduleSchema = scheduleSchema
  .extend({
    secret: z.string().nullable().describe('of a webhook: signs its deliveries (whsec_…); shown only once'),
  })
  .meta({ id: 'CreatedSchedule' });

/** What a webhook says: any JSON object. */
export const deliverySchema = z.record(z.string(), z.unknown()).meta({ id: 'TriggerDelivery' });

const storedProblem = { detail: z.string(), phrase: phraseSchema.nullable() };

/** What a sync found. */
export const syncResultSchema = z
  .object({
    added: z.number().int(),
    changed: z.number().int(),
    unchanged: z.number().int(),
    failed: z.number().int().describe('pages that could not be read; their sources stay as they are'),
    gone: z.number().int().describe('of these, pages that no longer exist (404, 410)'),
    problems: z
      .array(z.object({ url: z.string(), ...storedProblem }))
      .describe('why pages could not be read, at most 50'),
  })
  .meta({ id: 'SyncResult' });
export type SyncResult = z.infer<typeof syncResultSchema>;

export const firingSchema = z
  .object({
    planned_at: timestamp.describe('of an event, when it arrived'),
    event: z.string().nullable().describe('ID of the delivery, or name of the file'),
    is_manual: z.boolean().describe('a person or client asked for this run'),
    status: z.enum(firingStatuses),
    run_id: z.string().nullable(),
    problem: z
      .object({ code: z.string(), ...storedProblem })
      .nullable()
      .describe('why no run was started'),
    result: syncResultSchema.nullable().describe('of a sync: what it found so far'),
  })
  .meta({ id: 'ScheduleFiring' });

export const startedSyncSchema = firingSchema
  .extend({
    schedule_id: z.string().describe('schedule that lists the syncs of the collection'),
  })
  .meta({ id: 'StartedSync' });

export const scheduleWithFiringsSchema = scheduleSchema
  .extend({
    next_times: z.array(timestamp).describe('the next ten planned times'),
    firings: z.array(firingSchema).describe('the last 50, newest first'),
  })
  .meta({ id: 'ScheduleWithFirings' });

export const plannedTimesSchema = z.object({ times: z.array(timestamp) }).meta({ id: 'PlannedTimes' });
