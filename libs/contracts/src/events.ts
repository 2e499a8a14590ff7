import { z } from 'zod';

/** The names of a run's events (design: Surface). Each event carries `seq`, `at`, `run_id` and `data`. */
export const runEventTypes = [
  'run_status',
  'token',
  'node_complete',
  'hitl_pause',
  'decision_required',
  'decision_answered',
  'state_updated',
  'validation_ran',
  'checkpoint_saved',
  'rollback_performed',
  'rollback_skipped',
  'done',
] as const;

export const runEventTypeSchema = z.enum(runEventTypes);
export type RunEventType = z.infer<typeof runEventTypeSchema>;

export const runEventSchema = z
  .object({
    seq: z.number().int().positive(),
    at: z.iso.datetime(),
    run_id: z.string(),
    type: runEventTypeSchema,
    data: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'RunEvent' });
export type RunEvent = z.infer<typeof runEventSchema>;

/**
 * An event before it is appended. `effectKey` names the step that made it: a repeated step adds nothing (X4).
 */
export interface NewRunEvent {
  type: RunEventType;
  data: Record<string, unknown>;
  effectKey?: string;
}
