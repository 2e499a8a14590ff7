import { z } from 'zod';
import { budgetShortfallSchema } from './budgets.js';
import { decisionReferenceSchema } from './references.js';

/** Decision that a run needs from a person. */
export const decisionRequestSchema = z.object({
  session_id: z.string(),
  /** Name of a question; see `findQuestion`. */
  decision_type: z.string(),
  question: z.string(),
  /** Missing references that it asks about. */
  references: z.array(decisionReferenceSchema).default([]),
  /** Short facts that help to decide, such as the issues that remain. */
  context: z.array(z.string()).default([]),
  /** Further data of this kind of question, such as a list of options. */
  details: z.record(z.string(), z.unknown()).default({}),
  /** Only with `budget_exceeded`. */
  budget: budgetShortfallSchema.optional(),
  /** Seconds from the pause until `default_answer` applies. */
  deadline_seconds: z.number().int().positive(),
  default_answer: z.record(z.string(), z.unknown()),
});
export type DecisionRequest = z.infer<typeof decisionRequestSchema>;
/** A question as a node asks it; fields with a default are optional. */
export type DecisionOrder = z.input<typeof decisionRequestSchema>;
