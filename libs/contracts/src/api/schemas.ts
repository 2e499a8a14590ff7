import { z } from 'zod';
import { budgetShortfallSchema, runBudgetSchema } from '../budgets.js';
import { decisionKinds, decisionReferenceSchema } from '../decisions.js';
import { outlineEntrySchema, validationIssueSchema } from '../document-state.js';
import { documentRunInputsSchema, runErrorSchema, runStatusSchema } from '../runs.js';

const timestamp = z.iso.datetime();

export const sessionSchema = z
  .object({
    id: z.string(),
    title: z.string().nullable(),
    forked_from: z.string().nullable().meta({ description: 'the session that this one was forked from' }),
    created_at: timestamp,
  })
  .meta({
    id: 'Session',
    description: 'Holds inputs, assets, runs and results; everything in it belongs to one tenant.',
  });

export const newSessionSchema = z
  .object({ title: z.string().min(1).max(200).optional() })
  .strict()
  .meta({ id: 'NewSession' });

export const fileSchema = z
  .object({
    name: z.string(),
    size: z.number().int().meta({ description: 'bytes' }),
    sha256: z.string(),
    media_type: z.string(),
    created_at: timestamp,
  })
  .meta({ id: 'File' });

export const newRunSchema = z
  .object({
    session_id: z.string(),
    kind: z.enum(['document']).default('document'),
    inputs: documentRunInputsSchema.default({}),
    on_conflict: z
      .enum(['reject', 'enqueue', 'interrupt', 'rollback'])
      .default('reject')
      .meta({
        description:
          'when the session has a run that has not ended: refuse the new one, let it wait, cancel the old one, or ' +
          'cancel it and take back what it did to the session',
      }),
    /** When the next model call might exceed it, the run asks a person (`budget_exceeded`). */
    budget: runBudgetSchema.default({}),
    priority: z
      .number()
      .int()
      .min(0)
      .max(9)
      .default(0)
      .meta({ description: 'higher goes first among the queued runs of the tenant' }),
  })
  .strict()
  .meta({ id: 'NewRun' });

export const runSchema = z
  .object({
    id: z.string(),
    session_id: z.string(),
    kind: z.string(),
    priority: z.number().int(),
    status: runStatusSchema,
    model: z
      .string()
      .nullable()
      .meta({ description: 'the model that writes; "offline scribe (rules, no model)" without one' }),
    prompt_version: z.string().nullable(),
    graph_version: z.string(),
    origin: z
      .object({ run_id: z.string(), checkpoint_id: z.string() })
      .nullable()
      .meta({ description: 'the checkpoint of another run that this one went on from' }),
    error: runErrorSchema.nullable(),
    progress: z.object({
      current_chapter: z.number().int().nullable(),
      current_file_index: z.number().int().nullable(),
      document_outline: z.array(outlineEntrySchema),
      coverage: z
        .number()
        .nullable()
        .meta({ description: 'share of source lines that the manuscript carries, 0…1' }),
      validation_issues: z.array(validationIssueSchema),
      fix_attempts: z.number().int(),
      conversion_attempts: z.number().int(),
    }),
    open_decisions: z.array(z.string()),
    usage: z.object({
      input_tokens: z.number().int(),
      output_tokens: z.number().int(),
      model_calls: z.number().int(),
      cost: z
        .number()
        .int()
        .meta({ description: 'millionths of the currency; 0 for a model without a price' }),
      reserved: z
        .object({ tokens: z.number().int(), cost: z.number().int() })
        .meta({ description: 'set aside for the model call in flight' }),
      budget: runBudgetSchema,
    }),
    created_at: timestamp,
    finished_at: timestamp.nullable(),
  })
  .meta({ id: 'Run' });

export const decisionSchema = z
  .object({
    id: z.string(),
    run_id: z.string(),
    session_id: z.string(),
    status: z.enum(['open', 'answered', 'closed']),
    decision_type: z.enum(decisionKinds),
    question: z.string(),
    references: z.array(decisionReferenceSchema),
    context: z.array(z.string()),
    budget: budgetShortfallSchema
      .nullable()
      .meta({ description: 'with budget_exceeded: tokens, or millionths of the currency' }),
    answer_schema: z
      .record(z.string(), z.unknown())
      .meta({ description: 'JSON Schema that an answer has to fit' }),
    default_answer: z.record(z.string(), z.unknown()).meta({ description: 'applies at the deadline' }),
    answer: z.record(z.string(), z.unknown()).nullable(),
    answered_by: z
      .string()
      .nullable()
      .meta({ description: 'id of the API key whose answer completed the decision, or "deadline"' }),
    answered_at: timestamp.nullable(),
    assignee: z.string().nullable().meta({ description: 'id or name of the API key that may answer' }),
    quorum: z.number().int().meta({ description: 'keys that have to give the same answer' }),
    votes: z
      .array(
        z.object({ api_key_id: z.string(), answer: z.record(z.string(), z.unknown()), voted_at: timestamp }),
      )
      .meta({ description: 'with a quorum: the latest answer of each key, oldest first' }),
    deadline: timestamp.nullable(),
    created_at: timestamp,
  })
  .meta({ id: 'Decision' });

export const newEarlyAnswerSchema = z
  .object({
    decision_type: z.enum(decisionKinds),
    ref: z
      .string()
      .min(1)
      .max(2_000)
      .optional()
      .meta({ description: 'a missing reference: the answer is then its choice, "skip" or "use:NAME"' }),
    answer: z.union([z.record(z.string(), z.unknown()), z.string().min(1).max(2_000)]),
  })
  .strict()
  .refine(({ ref, answer }) => (ref !== undefined) === (typeof answer === 'string'), {
    path: ['answer'],
    message: 'a text when "ref" is given, else an object as the question will ask for',
  })
  .refine(({ ref, decision_type }) => ref === undefined || decision_type === 'missing_references', {
    path: ['ref'],
    message: 'only for missing_references',
  })
  .meta({ id: 'NewEarlyAnswer' });

export const earlyAnswerSchema = z
  .object({
    id: z.string(),
    run_id: z.string(),
    decision_type: z.enum(decisionKinds),
    ref: z.string().nullable(),
    answer: z.union([z.record(z.string(), z.unknown()), z.string()]),
    status: z.enum(['waiting', 'applied', 'not_applicable']).meta({
      description: 'not_applicable: it did not fit its question ("reason" says why), which stays open',
    }),
    decision_id: z.string().nullable().meta({ description: 'the question that it was put to' }),
    reason: z.string().nullable(),
    answered_by: z.string(),
    created_at: timestamp,
  })
  .meta({ id: 'EarlyAnswer', description: 'An answer that came before its question.' });

export const checkpointSchema = z
  .object({
    id: z.string(),
    run_id: z.string(),
    label: z.string(),
    validated: z.boolean(),
    created_at: timestamp,
  })
  .meta({ id: 'Checkpoint' });

export const exportSchema = z
  .object({
    id: z.string(),
    run_id: z.string(),
    name: z.string(),
    format: z.string(),
    size: z.number().int(),
    sha256: z.string(),
    created_at: timestamp,
  })
  .meta({ id: 'Export' });

export const ledgerSchema = z
  .record(z.string(), z.unknown())
  .meta({ id: 'Ledger', description: 'Where each line of each source went.' });

export const healthSchema = z
  .object({
    status: z.enum(['ok', 'unavailable']),
    checks: z.object({ database: z.boolean(), queue: z.boolean(), store: z.boolean() }),
  })
  .meta({ id: 'Health' });

export const livenessSchema = z.object({ status: z.literal('alive') }).meta({ id: 'Liveness' });

const dependencyState = z.enum(['up', 'down']);
export const readinessSchema = z
  .object({
    status: z.enum(['ready', 'not_ready']),
    checks: z.object({
      postgres: dependencyState,
      queue: dependencyState,
      store: dependencyState,
      migrations: z.enum(['applied', 'pending', 'unknown']),
    }),
  })
  .meta({ id: 'Readiness' });

/** A list that is short by its nature, as a whole; others come in pages (`pageOf`). */
export const listOf = <T extends z.ZodType>(item: T) => z.object({ items: z.array(item) });
