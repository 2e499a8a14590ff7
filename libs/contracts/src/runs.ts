import { z } from 'zod';

/** Run statuses for clients: `queued → running → needs_answer → running → … → completed | failed | cancelled | rejected` */
export const runStatuses = [
  'queued',
  'running',
  'needs_answer',
  'completed',
  'failed',
  'cancelled',
  'rejected',
] as const;
export const runStatusSchema = z.enum(runStatuses).meta({
  description:
    'needs_answer: a person has to answer one of open_decisions; running: the service or a worker is at work',
});
export type RunStatus = z.infer<typeof runStatusSchema>;

export const finalRunStatuses: readonly RunStatus[] = ['completed', 'failed', 'cancelled', 'rejected'];
/** A run that has not ended. */
export const activeRunStatuses = [
  'queued',
  'running',
  'needs_answer',
] as const satisfies readonly RunStatus[];
/** Whether a run of this status, shown or stored, has not ended. */
export const isActive = (status: string): boolean =>
  !(finalRunStatuses as readonly string[]).includes(status);

/** Why a run failed: a stable code and a sentence that says what to do; `node` where it happened. */
export const runErrorSchema = z.object({
  code: z.string(),
  message: z.string(),
  node: z.string().optional(),
});
export type RunError = z.infer<typeof runErrorSchema>;

/**
 * What a client may know of a run that goes on. The label comes from the server, so that a client shows a kind of run that it
 * has never heard of.
 */
export const progressSchema = z.object({
  phase: z.string().nullable().meta({ description: 'a stable name; null before the first step' }),
  label: z.string().nullable().meta({ description: 'the same in words, for people' }),
  done: z.number().int().nullable().meta({ description: 'parts that are done, such as chapters' }),
  total: z.number().int().nullable().meta({ description: 'parts in all, as far as they are known' }),
  details: z.record(z.string(), z.unknown()).meta({ description: 'what else runs of this kind tell' }),
});
export type RunProgress = z.infer<typeof progressSchema>;
