import { z } from 'zod';
import { budgetAmountSchema, budgetShortfallSchema, type BudgetShortfall } from './budgets.js';

/** One missing reference and where it is named (X2). */
export const decisionReferenceSchema = z.object({
  ref: z.string(),
  source: z.string().nullable(),
  line: z.number().int().nullable(),
  hint: z.string().nullable(),
});
export type DecisionReference = z.infer<typeof decisionReferenceSchema>;

/**
 * The kinds of question a run can put to a person:
 * `missing_references` (D18: upload or skip), `question` (the agent asks), `fix_exhausted` (D23: validation failed
 * three times: accept, retry or abort), `budget_exceeded` (X7: the next model call does not fit into a budget).
 */
export const decisionKinds = ['missing_references', 'question', 'fix_exhausted', 'budget_exceeded'] as const;

export const decisionRequestSchema = z.object({
  session_id: z.string(),
  decision_type: z.enum(decisionKinds),
  question: z.string(),
  references: z.array(decisionReferenceSchema),
  /** Short facts that help to decide, such as the issues that remain. */
  context: z.array(z.string()),
  /** With `budget_exceeded`. */
  budget: budgetShortfallSchema.optional(),
  /** Seconds from the pause until `default_answer` applies. */
  deadline_seconds: z.number().int().positive(),
  default_answer: z.record(z.string(), z.unknown()),
});
export type DecisionRequest = z.infer<typeof decisionRequestSchema>;

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

/** A reference is skipped or supplied by a file that the session already has (`use:NAME`). */
const referenceChoice = z.union([z.literal('skip'), z.string().regex(/^use:.+$/)]);

/** The schema that an answer to the given question has to fit; also shown to the client as JSON Schema (X3). */
export function answerSchema(request: DecisionRequest): z.ZodObject {
  const userDecisions = z
    .object(Object.fromEntries(request.references.map(({ ref }) => [ref, referenceChoice])))
    .strict();
  switch (request.decision_type) {
    case 'missing_references':
      return z.object({ user_decisions: userDecisions }).strict();
    case 'question':
      return z
        .object({ text: z.string().min(1).max(20_000), user_decisions: userDecisions.partial().optional() })
        .strict();
    case 'fix_exhausted':
      return z.object({ action: z.enum(['accept', 'retry', 'abort']) }).strict();
    case 'budget_exceeded':
      return budgetAnswerSchema(request.budget!);
  }
}

/** A run's own budget can be raised by the answer; a tenant's is the operator's to raise, and the run then tries again. */
function budgetAnswerSchema({ scope, unit }: BudgetShortfall): z.ZodObject {
  if (scope === 'tenant') return z.object({ action: z.enum(['retry', 'stop']) }).strict();
  const amount = unit === 'tokens' ? 'add_tokens' : 'add_cost';
  return z
    .object({ action: z.enum(['top_up', 'stop']), [amount]: budgetAmountSchema.optional() })
    .strict()
    .refine((answer) => (answer.action === 'top_up') === amount in answer, {
      path: [amount],
      message: 'goes with the action top_up, and only with it',
    });
}

/** The schema of an answer as JSON Schema (draft 2020-12), for forms. */
export function answerJsonSchema(request: DecisionRequest): Record<string, unknown> {
  return z.toJSONSchema(answerSchema(request)) as Record<string, unknown>;
}
