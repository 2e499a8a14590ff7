import { z } from 'zod';
import { budgetAmountSchema, type BudgetShortfall } from '#contracts/budgets.js';
import {
  decisionRequestSchema,
  type DecisionOrder,
  type DecisionRequest,
} from '#contracts/decision-request.js';
import { modelFailedDetailsSchema } from '#contracts/model-facts.js';
import { runKinds } from './registry.js';
import type { QuestionDefinition } from '#contracts/run-kind.js';
import { referenceChoicesSchema, type DecisionReference } from '#contracts/references.js';

export { decisionRequestSchema, type DecisionOrder, type DecisionRequest };

const textAnswer = (references: readonly DecisionReference[]) =>
  z
    .object({
      text: z.string().min(1).max(20_000),
      user_decisions: referenceChoicesSchema(references).partial().optional(),
    })
    .strict();
const plainAnswer = textAnswer([]);

/**
 * Questions that runs can ask a person. Every kind has `question` (the agent asks), `budget_exceeded` (X7, the
 * next model call exceeds a budget) and `model_failed` (X13, the model cannot answer). The contract of a kind
 * defines the others.
 */
const questions: Record<string, QuestionDefinition> = {
  question: { answer: ({ references }) => (references.length === 0 ? plainAnswer : textAnswer(references)) },
  budget_exceeded: { answer: ({ budget }) => budgetAnswerSchema(budget!) },
  model_failed: {
    details: modelFailedDetailsSchema,
    answer: ({ details }) =>
      z.object({ action: z.enum(modelFailedDetailsSchema.parse(details).choices) }).strict(),
  },
};
for (const kind of runKinds()) Object.assign(questions, kind.questions);

/** Returns the names of all kinds of question. */
export function questionNames(): string[] {
  return Object.keys(questions);
}

/** Returns the kind of question with that name; undefined if this release does not have it. */
export function findQuestion(name: string): QuestionDefinition | undefined {
  return Object.hasOwn(questions, name) ? questions[name] : undefined;
}

/**
 * Returns the schema of answers to a question, which clients receive as JSON Schema (X3). If the question is
 * from a newer release, the schema accepts no answer.
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

/**
 * Returns the schema of answers to an exceeded budget. An answer can raise a run's budget; only the operator
 * can raise a tenant's, so the run can then only retry or stop.
 */
function budgetAnswerSchema({ scope, unit }: BudgetShortfall): z.ZodObject {
  if (scope === 'tenant') return z.object({ action: z.enum(['retry', 'stop']) }).strict();
  const amount = unit === 'tokens' ? 'add_tokens' : 'add_cost';
  return z
    .object({ action: z.enum(['top_up', 'stop']), [amount]: budgetAmountSchema.optional() })
    .strict()
    .refine((answer) => (answer.action === 'top_up') === amount in answer, {
      path: [amount],
      message: 'is required for the action top_up, and only allowed with it',
    });
}

const jsonSchemas = new WeakMap<z.ZodObject, Record<string, unknown>>();

/** Returns the schema of answers as JSON Schema (draft 2020-12), for forms. Do not change it: questions share it. */
export function answerJsonSchema(request: DecisionRequest): Record<string, unknown> {
  const schema = answerSchema(request);
  let json = jsonSchemas.get(schema);
  if (!json) jsonSchemas.set(schema, (json = z.toJSONSchema(schema) as Record<string, unknown>));
  return json;
}
