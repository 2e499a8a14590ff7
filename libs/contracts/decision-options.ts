import { z } from 'zod';

/**
 * Assignee, deadline and quorum of a run's decisions; the client that starts the run sets them
 * (`inputs.decisions`, X3).
 */
export const decisionOptionsSchema = z
  .object({
    assignee: z.string().min(1).max(100).optional().meta({
      description: 'ID or name of the API key that may answer; keys with the admin scope always may',
    }),
    deadline_seconds: z
      .number()
      .int()
      .min(1)
      .max(31_536_000)
      .optional()
      .meta({ description: 'seconds until the default answer applies' }),
    quorum: z
      .number()
      .int()
      .min(2)
      .max(10)
      .optional()
      .meta({ description: 'number of keys that must give the same answer' }),
  })
  .strict();
type DecisionOptions = z.infer<typeof decisionOptionsSchema>;

/** Returns the decision options in a run's inputs, with defaults for the missing ones. */
export function decisionOptionsOf(inputs: Record<string, unknown>): DecisionOptions {
  return decisionOptionsSchema.parse(inputs['decisions'] ?? {});
}
