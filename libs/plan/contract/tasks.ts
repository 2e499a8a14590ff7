import { z } from 'zod';
import { itemOutcomesSchema } from './values.js';
import type { TaskDefinition } from '#contracts/run-kind.js';

/** Error code of a `run_tool` task with a call that may have taken effect; the plan then asks a person. */
export const OUTCOME_UNKNOWN = 'outcome_unknown';

export const planTasks = {
  /** P11: one plan step. Its arguments refer to earlier results, which the worker reads. */
  run_tool: {
    queue: 'tools',
    input: z.object({
      session_id: z.string(),
      plan_task: z.string(),
      tool: z.string(),
      arguments: z.record(z.string(), z.unknown()),
      /** Object keys of the results that the arguments refer to, by task. */
      results: z.record(z.string(), z.string()),
      /** Whether a page must not redirect to another host: a model chose it, and nobody approved it. */
      stays_on_host: z.boolean().optional(),
      /** Time limit of the call, if shorter than that of the tool. */
      timeout_ms: z.number().int().optional(),
      /** What a person said about the interrupted items of a `map`. */
      outcomes: itemOutcomesSchema.optional(),
    }),
    output: z.object({
      result_key: z.string(),
      bytes: z.number().int(),
      /** The result if it is small, otherwise null. */
      result: z.unknown(),
      /** The beginning of the result as JSON, for people. */
      preview: z.string(),
      /** Number of entries of a result that is or contains a list. */
      entries: z.number().int().optional(),
      /** Items of a `map` whose call failed. */
      failed_items: z.number().int().optional(),
      /** Items of a `map` whose call may have taken effect; the plan then asks a person. */
      interrupted_items: z.array(z.number().int()).optional(),
    }),
    timeoutMs: 1_500_000,
    attempts: 3,
    inputFiles: ({ arguments: args }: Record<string, unknown>) =>
      Object.values(args as object).filter((value): value is string => typeof value === 'string'),
  },
} as const satisfies Record<string, TaskDefinition>;
