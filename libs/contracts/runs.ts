import { z } from 'zod';
import { englishText, type Phrase } from './phrases/phrase.js';
import { phraseSchema } from './phrases/schema.js';

/**
 * Run statuses for clients: `queued → running → needs_answer → running → … → completed`, or `failed`,
 * `cancelled`, `rejected` at the end.
 */
export const runStatuses = [
  'queued',
  'running',
  'needs_answer',
  'completed',
  'failed',
  'cancelled',
  'rejected',
] as const;
export const runStatusSchema = z
  .enum(runStatuses)
  .describe(
    'needs_answer: a person must answer one of open_decisions; running: the service or a worker is working',
  );
export type RunStatus = z.infer<typeof runStatusSchema>;

export const finalRunStatuses: readonly RunStatus[] = ['completed', 'failed', 'cancelled', 'rejected'];
/** A run that has not ended. */
export const activeRunStatuses = [
  'queued',
  'running',
  'needs_answer',
] as const satisfies readonly RunStatus[];
/** Returns whether a run with this status, from the API or the database, has not ended. */
export const isActive = (status: string): boolean =>
  !(finalRunStatuses as readonly string[]).includes(status);

/** Reason why a run failed: a stable code, a message that says what to do, and the node. */
export const runErrorSchema = z.object({
  code: z.string(),
  message: z.string(),
  phrase: phraseSchema
    .optional()
    .describe('Code and parameters of the message; missing for texts from elsewhere, such as a provider.'),
  node: z.string().optional(),
});
export type RunError = z.infer<typeof runErrorSchema>;

/**
 * Progress of a run for clients. The label comes from the server, so that clients can show kinds of run that
 * they do not know.
 */
export const progressSchema = z.object({
  phase: z.string().nullable().describe('a stable name; null before the first step'),
  label: z.string().nullable().describe('the step in words, for people'),
  phrase: phraseSchema
    .nullable()
    .optional()
    .describe('code and parameters of the label; null or missing without a label'),
  done: z.number().int().nullable().describe('finished parts, such as chapters'),
  total: z.number().int().nullable().describe('total parts, as far as known'),
  details: z.record(z.string(), z.unknown()).describe('details specific to the kind'),
});
export type RunProgress = z.infer<typeof progressSchema>;

/** Returns the fields of a step in words. */
export const labelOf = (step: Phrase | null): Pick<RunProgress, 'label' | 'phrase'> => ({
  label: step && englishText(step),
  phrase: step,
});
