import { z } from 'zod';
import { budgetAmountSchema, budgetShortfallSchema, type BudgetShortfall } from './budgets.js';
import { runKinds } from './kinds/registry.js';
import type { QuestionDefinition } from './kinds/run-kind.js';
import { decisionReferenceSchema, referenceChoicesSchema } from './references.js';

export const decisionRequestSchema = z.object({
  session_id: z.string(),
  /** A name in `questions`. */
  decision_type: z.string(),
  question: z.string(),
  /** Files that it asks for. */
  references: z.array(decisionReferenceSchema).default([]),
  /** Short facts that help to decide, such as the issues that remain. */
  context: z.array(z.string()).default([]),
  /** What else its kind of question tells, such as a list to choose from. */
  details: z.record(z.string(), z.unknown()).default({}),
  /** With `budget_exceeded`. */
  budget: budgetShortfallSchema.optional(),
  /** Seconds from the pause until `default_answer` applies. */
  deadline_seconds: z.number().int().positive(),
  default_answer: z.record(z.string(), z.unknown()),
});
export type DecisionRequest = z.infer<typeof decisionRequestSchema>;
/** A question as a node asks it: what has a default may be left out. */
export type DecisionOrder = z.input<typeof decisionRequestSchema>;

/**
 * The questions that runs can put to a person: `question` (the agent asks) and `budget_exceeded` (X7: the next model call does
 * not fit into a budget) are for every kind; the others stand in the contract of their kind (`kinds/`).
 */
const questions: Record<string, QuestionDefinition> = {
  question: {
    answer: ({ references }) =>
      z
        .object({
          text: z.string().min(1).max(20_000),
          user_decisions: referenceChoicesSchema(references).partial().optional(),
        })
        .strict(),
  },
  budget_exceeded: { answer: ({ budget }) => budgetAnswerSchema(budget!) },
};
for (const kind of runKinds()) Object.assign(questions, kind.questions);

/** The names of all kinds of question. */
export function questionNames(): string[] {
  return Object.keys(questions);
}

/** The kind of question of that name, or undefined when this release has none. */
export function findQuestion(name: string): QuestionDefinition | undefined {
  return Object.hasOwn(questions, name) ? questions[name] : undefined;
}

/**
 * The schema that an answer to the given question has to fit; also shown to the client as JSON Schema (X3). To a question of a
 * newer release nothing fits.
 */
export function answerSchema(request: DecisionRequest): z.ZodObject {
  return (
    findQuestion(request.decision_type)?.answer(request) ??
    z
      .object({})
      .strict()
      .refine(() => false)
  );
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
