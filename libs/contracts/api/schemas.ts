import { phraseSchema } from '../phrases/schema.js';
import { z } from 'zod';
import { nameSchema } from '../names.js';
import { budgetShortfallSchema, runBudgetSchema } from '../budgets.js';
import { findQuestion, questionNames } from '../decisions.js';
import { findRunKind, kindOf, runKindNames, runKinds } from '../registry.js';
import { decisionReferenceSchema } from '../references.js';
import { progressSchema, runErrorSchema, runStatusSchema } from '../runs.js';
import { MAX_SOURCE_NAME_BYTES } from '../source-name.js';

const timestamp = z.iso.datetime();
const questionName = z.enum(questionNames());

export const sessionSchema = z
  .object({
    id: z.string(),
    title: z.string().nullable(),
    forked_from: z.string().nullable().meta({ description: 'session that this one was forked from' }),
    created_at: timestamp,
  })
  .meta({
    id: 'Session',
    description: 'Contains inputs, assets, runs and results; everything in it belongs to one tenant.',
  });

export const newSessionSchema = z
  .object({ title: nameSchema(200).optional() })
  .strict()
  .meta({ id: 'NewSession' });

export const sessionChangesSchema = z
  .object({
    title: nameSchema(200).nullable().meta({ description: 'null removes the title' }),
  })
  .strict()
  .meta({ id: 'SessionChanges' });

export const fileSchema = z
  .object({
    name: z.string(),
    size: z.number().int().meta({ description: 'bytes' }),
    sha256: z.string(),
    media_type: z.string(),
    created_at: timestamp,
  })
  .meta({ id: 'File' });

export const inputOrderSchema = z
  .object({
    names: z
      .array(z.string().min(1).max(MAX_SOURCE_NAME_BYTES))
      .max(10_000)
      .refine((names) => new Set(names).size === names.length, 'must not contain a name twice')
      .meta({
        description:
          'names of inputs in the order in which to process them; the other inputs follow in the natural order of their names',
      }),
  })
  .strict()
  .meta({ id: 'InputOrder' });

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
    session_id: z.string().optional().meta({ description: 'session of the run; or pass a project_id' }),
    project_id: z.string().max(100).optional().meta({ description: 'ID of a book, instead of its session' }),
    kind: z
      .enum(runKindNames())
      .optional()
      .meta({ description: 'default: book with a project_id, otherwise document' }),
    mode: z.string().max(50).optional().meta({ description: 'mode of the kind (default: its first mode)' }),
    inputs: z
      .record(z.string(), z.unknown())
      .default({})
      .meta({ description: 'inputs of the kind', override: inputsOfKinds() }),
    on_conflict: z
      .enum(['reject', 'enqueue', 'interrupt', 'rollback'])
      .default('reject')
      .meta({
        description:
          'if the session has an active run: reject the new one, let it wait, cancel the old one, or ' +
          'cancel the old one and roll back its changes to the session',
      }),
    /** If the next model call could exceed it, the run asks a person (`budget_exceeded`). */
    budget: runBudgetSchema.default({}),
    priority: z
      .number()
      .int()
      .min(0)
      .max(9)
      .default(0)
      .meta({ description: 'among the queued runs of the tenant, higher priorities start first' }),
  })
  .strict()
  .superRefine(checkByKind)
  .meta({ id: 'NewRun' });

export const runSchema = z
  .object({
    id: z.string(),
    session_id: z.string(),
    title: z.string().nullable().meta({
      description: 'title of the session, otherwise the first heading of the document; null for neither',
    }),
    kind: z.string(),
    mode: z.string().nullable(),
    priority: z.number().int(),
    status: runStatusSchema,
    model: z
      .string()
      .nullable()
      .meta({ description: 'model that writes, or "offline scribe (rules, no model)"' }),
    prompt_version: z.string().nullable(),
    graph_version: z.string(),
    origin: z
      .object({ run_id: z.string(), checkpoint_id: z.string() })
      .nullable()
      .meta({ description: 'checkpoint of another run that this run continued from' }),
    parent_run_id: z
      .string()
      .nullable()
      .meta({ description: 'parent run; null for a run that a client started' }),
    error: runErrorSchema.nullable(),
    progress: progressSchema,
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
        .meta({ description: 'reserved for the current model call' }),
      budget: runBudgetSchema,
      default_max_tokens: z.number().int().nullable().meta({
        description:
          'tokens after which a run without a budget asks a person; null: it has one, or never asks',
      }),
    }),
    created_at: timestamp,
    finished_at: timestamp.nullable(),
  })
  .meta({ id: 'Run' });

export const listedSessionSchema = sessionSchema
  .extend({
    latest_run: runSchema
      .nullable()
      .meta({ description: 'latest run that a client started in the session (of the requested kind)' }),
  })
  .meta({ id: 'ListedSession', description: 'A session with its latest run.' });

export const decisionSchema = z
  .object({
    id: z.string(),
    run_id: z.string(),
    session_id: z.string(),
    run_kind: z.string(),
    run_title: z.string().nullable().meta({ description: '"title" of the run' }),
    status: z.enum(['open', 'answered', 'closed']),
    decision_type: questionName,
    question: z.string(),
    phrase: phraseSchema
      .nullable()
      .meta({ description: 'code and parameters of "question"; null for the words of a model' }),
    references: z.array(decisionReferenceSchema),
    context: z.array(z.string()),
    context_phrases: z
      .array(phraseSchema.nullable())
      .meta({ description: 'codes and parameters of the facts in "context", null for words of others' }),
    details: z.record(z.string(), z.unknown()).meta({ description: 'details specific to the decision type' }),
    budget: budgetShortfallSchema
      .nullable()
      .meta({ description: 'for budget_exceeded: tokens, or millionths of the currency' }),
    answer_schema: z
      .record(z.string(), z.unknown())
      .meta({ description: 'JSON Schema that an answer must match' }),
    default_answer: z
      .record(z.string(), z.unknown())
      .meta({ description: 'answer that applies at the deadline' }),
    answer: z.record(z.string(), z.unknown()).nullable(),
    answered_by: z
      .string()
      .nullable()
      .meta({ description: 'ID of the API key whose answer completed the decision, or "deadline"' }),
    answered_at: timestamp.nullable(),
    assignee: z.string().nullable().meta({ description: 'ID or name of the API key that may answer' }),
    quorum: z.number().int().meta({ description: 'number of keys that must give the same answer' }),
    votes: z
      .array(
        z.object({ api_key_id: z.string(), answer: z.record(z.string(), z.unknown()), voted_at: timestamp }),
      )
      .meta({ description: 'with a quorum: latest answer of each key, oldest first' }),
    deadline: timestamp.nullable(),
    created_at: timestamp,
  })
  .meta({ id: 'Decision' });

export const newEarlyAnswerSchema = z
  .object({
    decision_type: questionName,
    ref: z.string().min(1).max(2_000).optional().meta({
      description: 'missing reference that the answer is for; the answer is then "skip" or "use:NAME"',
    }),
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
    status: z.enum(['waiting', 'applied', 'not_applicable']).meta({
      description:
        'not_applicable: it did not match the schema of its question (see "reason"), which stays open',
    }),
    decision_id: z.string().nullable().meta({ description: 'decision that it was applied to' }),
    reason: z.string().nullable(),
    answered_by: z.string(),
    created_at: timestamp,
  })
  .meta({ id: 'EarlyAnswer', description: 'An answer given in advance of its question.' });

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
    is_current: z.boolean().nullable().meta({
      description: 'documents: whether it was made of the current manuscript; null if that is not known',
    }),
    created_at: timestamp,
  })
  .meta({ id: 'Export' });

export const resultSchema = z
  .object({
    kind: z.string().meta({ description: 'kind of the runs that create it' }),
    name: z.string(),
    run_id: z.string().meta({ description: 'run that created the current version' }),
    media_type: z.string(),
    file_name: z.string(),
    description: z.string(),
    is_current: z.boolean().nullable().meta({
      description:
        'ledgers: whether it traces the current manuscript; null if that is not known, or for other results',
    }),
    coverage: z.number().nullable().meta({
      description:
        'manuscripts of documents: share of source lines that the current version carries, 0…1; null if not validated',
    }),
    updated_at: timestamp,
  })
  .meta({ id: 'Result', description: 'A named result of the runs of a kind in a session.' });

export const ledgerSchema = z
  .record(z.string(), z.unknown())
  .meta({ id: 'Ledger', description: 'Trace of each source line to the manuscript.' });

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

/** Returns the schema of a complete list, for lists that are always short; others have pages (`pageOf`). */
export const listOf = <T extends z.ZodType>(item: T) => z.object({ items: z.array(item) });

/** Maximum number of lines in a response. */
const MAX_LINES = 2_000;

export const lineRangeQuery = z
  .object({
    first: z.coerce
      .number()
      .int()
      .min(1)
      .max(2_000_000_000)
      .default(1)
      .meta({ description: 'counted from 1' }),
    count: z.coerce.number().int().min(1).max(MAX_LINES).default(500),
  })
  .strict();

/** Lines of a text, without line ends. */
export const textLinesSchema = z
  .object({
    first: z.number().int(),
    lines: z.array(z.string()).meta({
      description: 'fewer than requested if the text ends earlier; lines over 8 KiB are truncated',
    }),
  })
  .meta({ id: 'TextLines' });

/** A file of an upload that was not stored; the rest of the upload was. */
export const leftOutFileSchema = z
  .object({
    name: z.string(),
    reason: z.enum(['empty', 'duplicate']).meta({
      description:
        '`empty`: the file has no content; `duplicate`: the upload already contains it under this name',
    }),
  })
  .meta({ id: 'LeftOutFile' });
export type LeftOutFile = z.infer<typeof leftOutFileSchema>;

/** Response to an upload: stored and skipped files. */
export const uploadOf = <T extends z.ZodType>(item: T) =>
  z.object({ items: z.array(item), left_out: z.array(leftOutFileSchema) });
