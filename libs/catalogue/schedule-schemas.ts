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
export const firingStatuses = ['due', 'started', 'skipped', 'failed'] as const;

const timing = {
  cron: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .meta({ description: 'five fields: minute, hour, day of month, month, day of week; or every_seconds' }),
  every_seconds: z.number().int().min(60).max(31_536_000).optional(),
  time_zone: z
    .string()
    .min(1)
    .max(100)
    .default('UTC')
    .meta({
      description:
        'IANA name, such as Europe/Warsaw. A time in an hour that a clock change skips is planned for the first minute ' +
        'after it; a time in an hour that occurs twice is planned once',
    }),
  until: timestamp.optional().meta({ description: 'no run is planned after this time' }),
};

const hasOneTiming = ({ cron, every_seconds: every }: { cron?: unknown; every_seconds?: unknown }) =>
  (cron === undefined) !== (every === undefined);
const ONE_TIMING = { message: 'pass either "cron" or "every_seconds"', path: ['cron'] };

export const schedulePreviewSchema = z
  .object(timing)
  .strict()
  .refine(hasOneTiming, ONE_TIMING)
  .meta({ id: 'SchedulePreview' });

const scheduledPlanSchema = savedPlanRunSchema
  .extend({ saved_plan_id: z.string().min(1).max(100) })
  .meta({ id: 'ScheduledPlan' });

/** What a schedule starts, as it is stored. */
export const scheduledStartSchema = z.union([
  z.object({ run: newRunSchema }),
  z.object({ saved_plan: scheduledPlanSchema }),
]);

const missed = z
  .enum(missedTimes)
  .default('once')
  .meta({
    description:
      'planned times that passed while the service did not run: start one run for all of them, one for each (at ' +
      'most the last 100), or none',
  });

/** A schedule of a saved plan with its own configuration. */
export const planScheduleSchema = z
  .object({
    name: nameSchema(100),
    saved_plan: scheduledPlanSchema.omit({ config: true }),
    ...timing,
    missed,
  })
  .strict()
  .refine(hasOneTiming, ONE_TIMING);

export const newScheduleSchema = z
  .object({
    name: nameSchema(100),
    start: newRunSchema.optional().meta({
      description: 'the run, as for POST /api/agents/runs; `overlap` replaces its on_conflict. Or saved_plan',
    }),
    saved_plan: scheduledPlanSchema.optional().meta({
      description: 'the plan, as for POST /api/saved-plans/{id}/runs; it never waits for another run',
    }),
    ...timing,
    overlap: z.enum(overlaps).default('skip').meta({
      description:
        'if the session has an active run at a planned time: skip it, wait, or cancel the active run',
    }),
    missed,
  })
  .strict()
  .refine(hasOneTiming, ONE_TIMING)
  .refine(({ start, saved_plan: plan }) => (start === undefined) !== (plan === undefined), {
    message: 'pass either "start" or "saved_plan"',
    path: ['start'],
  })
  .refine(({ saved_plan: plan, overlap }) => plan === undefined || overlap === 'skip', {
    message: 'must be skip for a saved plan',
    path: ['overlap'],
  })
  .refine(({ start, missed, overlap }) => start === undefined || missed !== 'all' || overlap !== 'skip', {
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
    start: z.record(z.string(), z.unknown()).nullable().meta({ description: 'null for a saved plan' }),
    saved_plan: z.record(z.string(), z.unknown()).nullable(),
    cron: z.string().nullable(),
    every_seconds: z.number().int().nullable(),
    time_zone: z.string(),
    until: timestamp.nullable(),
    overlap: z.enum(overlaps),
    missed: z.enum(missedTimes),
    paused_at: timestamp.nullable(),
    next_at: timestamp.nullable().meta({ description: 'null while it is paused, and after its end' }),
    created_at: timestamp,
  })
  .meta({ id: 'Schedule' });

export const firingSchema = z
  .object({
    planned_at: timestamp,
    is_manual: z.boolean().meta({ description: 'a person or client asked for this run' }),
    status: z.enum(firingStatuses),
    run_id: z.string().nullable(),
    problem: z
      .object({ code: z.string(), detail: z.string(), phrase: phraseSchema.nullable() })
      .nullable()
      .meta({ description: 'why no run was started' }),
  })
  .meta({ id: 'ScheduleFiring' });

export const scheduleWithFiringsSchema = scheduleSchema
  .extend({
    next_times: z.array(timestamp).meta({ description: 'the next ten planned times' }),
    firings: z.array(firingSchema).meta({ description: 'the last 50, newest first' }),
  })
  .meta({ id: 'ScheduleWithFirings' });

export const plannedTimesSchema = z.object({ times: z.array(timestamp) }).meta({ id: 'PlannedTimes' });
