import { z } from 'zod';

/** Who answers a run's questions and by when; whoever starts the run sets them (`inputs.decisions`, X3). */
export const decisionOptionsSchema = z
  .object({
    assignee: z.string().min(1).max(100).optional().meta({
      description: 'id or name of the API key that may answer; keys with the scope admin always may',
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
      .meta({ description: 'so many keys have to give the same answer' }),
  })
  .strict();
export type DecisionOptions = z.infer<typeof decisionOptionsSchema>;

/** The decision options in the inputs of a run of any kind; none when there are none. */
export function decisionOptionsOf(inputs: Record<string, unknown>): DecisionOptions {
  return decisionOptionsSchema.parse(inputs['decisions'] ?? {});
}
