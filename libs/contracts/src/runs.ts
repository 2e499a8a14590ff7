import { z } from 'zod';
import { decisionOptionsSchema } from './decisions.js';

/** `queued → running → waiting → running → … → completed | failed | cancelled | rejected` */
export const runStatuses = [
  'queued',
  'running',
  'waiting',
  'completed',
  'failed',
  'cancelled',
  'rejected',
] as const;
export const runStatusSchema = z.enum(runStatuses);
export type RunStatus = z.infer<typeof runStatusSchema>;

export const finalRunStatuses: readonly RunStatus[] = ['completed', 'failed', 'cancelled', 'rejected'];

/** Why a run failed: a stable code and a sentence that says what to do; `node` where it happened. */
export const runErrorSchema = z.object({
  code: z.string(),
  message: z.string(),
  node: z.string().optional(),
});
export type RunError = z.infer<typeof runErrorSchema>;

/** What a run of kind `document` can be told at its start. */
export const documentRunInputsSchema = z
  .object({
    title: z.string().min(1).max(200).optional(),
    language: z
      .string()
      .regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/)
      .optional(),
    policy: z.enum(['verbatim', 'narrative']).optional(),
    source_appendix: z.boolean().optional(),
    decisions: decisionOptionsSchema.optional(),
  })
  .strict();
export type DocumentRunInputs = z.infer<typeof documentRunInputsSchema>;
