import { z } from 'zod';
import { budgetShortfallSchema, runBudgetSchema } from '#contracts/budgets.js';
import { phraseSchema } from '#contracts/phrases/schema.js';
import { decisionReferenceSchema } from '#contracts/references.js';
import { findQuestion, questionNames } from './decisions.js';
import { findRunKind, kindOf, runKindNames, runKinds } from './registry.js';

const timestamp = z.iso.datetime();
const questionName = z.enum(questionNames());

/** Returns the JSON Schema of the inputs of all kinds, for the OpenAPI document. */
function inputsOfKinds() {
  const ofKinds: Record<string, unknown>[] = runKinds().map(({ inputs }) => {
    const { $schema: _dialect, ...schema } = z.toJSONSchema(inputs, { io: 'input' });
    return schema;
  });
  return ofKinds.length === 1 ? ofKinds[0]! : { type: 'object', anyOf: ofKinds };
}

/** Requires a session or a project, and a mode and inputs that the kind accepts. */
function checkByKind(
  run: {
    kind?: string | undefined;
    session_id?: string | undefined;
    project_id?: string | undefined;
    mode?: string | undefined;
    inputs: Record<string, unknown>;
  },
  context: z.core.$RefinementCtx,
): void {
  if ((run.session_id === undefined) === (run.project_id === undefined))
    context.addIssue({
      code: 'custom',
      path: ['session_id'],
      message: 'pass either this or a project_id',
    });
  const kind = findRunKind(kindOf(run))!;
  if (run.mode !== undefined && !kind.modes.includes(run.mode)) {
    const message = kind.modes.length > 0 ? `one of ${kind.modes.join(', ')}` : 'this kind has no modes';
    context.addIssue({ code: 'custom', path: ['mode'], message });
  }
  for (const { path, message } of kind.inputs.safeParse(run.inputs).error?.issues ?? [])
    context.addIssue({ code: 'custom', path: ['inputs', ...path], message });
}

export const newRunSchema = z
  .object({
    session_id: z.string().optional().describe('session of the run; or pass a project_id'),
    project_id: z.string().max(100).optional().describe('ID of a book, instead of its session'),
    kind: z.enum(runKindNames()).optional().describe('default: book with a project_id, otherwise document'),
    mode: z.string().max(50).optional().describe('mode of the kind (default: its first mode)'),
    inputs: z
      .record(z.string(), z.unknown())
      .default({})
      .meta({ description: 'inputs of the kind', override: inputsOfKinds() }),
    on_conflict: z
      .enum(['reject', 'enqueue', 'interrupt', 'rollback'])
      .default('reject')
      .describe(
        'if the session has an active run: reject the new one, let it wait, cancel the old one, or ' +
          'cancel the old one and roll back its changes to the session',
      ),
    /** If the next model call could exceed it, the run asks a person (`budget_exceeded`). */
    budget: runBudgetSchema.default({}),
    priority: z
      .number()
      .int()
      .min(0)
      .max(9)
      .default(0)
      .describe('among the queued runs of the tenant, higher priorities start first'),
  })
  .strict()
  .superRefine(checkByKind)
  .meta({ id: 'NewRun' });

export const decisionSchema = z
  .object({
    id: z.string(),
    run_id: z.string(),
    session_id: z.string(),
    run_kind: z.string(),
    run_title: z.string().nullable().describe('"title" of the run'),
    status: z.enum(['open', 'answered', 'closed']),
    decision_type: questionName,
    question: z.string(),
    phrase: phraseSchema
      .nullable()
      .describe('code and parameters of "question"; null for the words of a model'),
    references: z.array(decisionReferenceSchema),
    context: z.array(z.string()),
    context_phrases: z
      .array(phraseSchema.nullable())
      .describe('codes and parameters of the facts in "context", null for words of others'),
    details: z.record(z.string(), z.unknown()).describe('details specific to the decision type'),
    budget: budgetShortfallSchema
      .nullable()
      .describe('for budget_exceeded: tokens, or millionths of the currency'),
    answer_schema: z.record(z.string(), z.unknown()).describe('JSON Schema that an answer must match'),
    default_answer: z.record(z.string(), z.unknown()).describe('answer that applies at the deadline'),
    answer: z.record(z.string(), z.unknown()).nullable(),
    answered_by: z
      .string()
      .nullable()
      .describe('ID of the API key whose answer completed the decision, or "deadline"'),
    answered_at: timestamp.nullable(),
    assignee: z.string().nullable().describe('ID or name of the API key that may answer'),
    quorum: z.number().int().describe('number of keys that must give the same answer'),
    votes: z
      .array(
        z.object({ api_key_id: z.string(), answer: z.record(z.string(), z.unknown()), voted_at: timestamp }),
      )
      .describe('with a quorum: latest answer of each key, oldest first'),
    deadline: timestamp.nullable(),
    reminded_at: timestamp.nullable().describe('when people were reminded of the deadline; null before that'),
    created_at: timestamp,
  })
  .meta({ id: 'Decision' });

export const newEarlyAnswerSchema = z
  .object({
    decision_type: questionName,
    ref: z
      .string()
      .min(1)
      .max(2_000)
      .optional()
      .describe('missing reference that the answer is for; the answer is then "skip" or "use:NAME"'),
    answer: z.union([z.record(z.string(), z.unknown()), z.string().min(1).max(2_000)]),
  })
  .strict()
  .refine(({ ref, answer }) => (ref !== undefined) === (typeof answer === 'string'), {
    path: ['answer'],
    message: 'text if "ref" is given, otherwise an object that matches the schema of the question',
  })
  .refine(({ ref, decision_type }) => ref === undefined || findQuestion(decision_type)?.byReference, {
    path: ['ref'],
    message: 'only for a question about references, such as missing_references',
  })
  .meta({ id: 'NewEarlyAnswer' });

export const earlyAnswerSchema = z
  .object({
    id: z.string(),
    run_id: z.string(),
    decision_type: questionName,
    ref: z.string().nullable(),
    answer: z.union([z.record(z.string(), z.unknown()), z.string()]),
    status: z
      .enum(['waiting', 'applied', 'not_applicable'])
      .describe(
        'not_applicable: it did not match the schema of its question (see "reason"), which stays open',
      ),
    decision_id: z.string().nullable().describe('decision that it was applied to'),
    reason: z.string().nullable(),
    answered_by: z.string(),
    created_at: timestamp,
  })
  .meta({ id: 'EarlyAnswer', description: 'An answer given in advance of its question.' });
