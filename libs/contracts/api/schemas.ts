import { z } from 'zod';
import { nameSchema } from '../names.js';
import { runBudgetSchema } from '../budgets.js';
import { progressSchema, runErrorSchema, runStatusSchema } from '../runs.js';
import { MAX_SOURCE_NAME_BYTES } from '../source-name.js';

const timestamp = z.iso.datetime();

export const sessionSchema = z
  .object({
    id: z.string(),
    title: z.string().nullable(),
    forked_from: z.string().nullable().describe('session that this one was forked from'),
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
    title: nameSchema(200).nullable().describe('null removes the title'),
  })
  .strict()
  .meta({ id: 'SessionChanges' });

export const fileSchema = z
  .object({
    name: z.string(),
    size: z.number().int().describe('bytes'),
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
      .describe(
        'names of inputs in the order in which to process them; the other inputs follow in the natural order of their names',
      ),
  })
  .strict()
  .meta({ id: 'InputOrder' });

export const runSchema = z
  .object({
    id: z.string(),
    session_id: z.string(),
    title: z
      .string()
      .nullable()
      .describe('title of the session, otherwise the first heading of the document; null for neither'),
    kind: z.string(),
    mode: z.string().nullable(),
    priority: z.number().int(),
    status: runStatusSchema,
    model: z.string().nullable().describe('model that writes, or "offline scribe (rules, no model)"'),
    prompt_version: z.string().nullable(),
    graph_version: z.string(),
    origin: z
      .object({ run_id: z.string(), checkpoint_id: z.string() })
      .nullable()
      .describe('checkpoint of another run that this run continued from'),
    parent_run_id: z.string().nullable().describe('parent run; null for a run that a client started'),
    error: runErrorSchema.nullable(),
    progress: progressSchema,
    open_decisions: z.array(z.string()),
    usage: z.object({
      input_tokens: z.number().int(),
      output_tokens: z.number().int(),
      model_calls: z.number().int(),
      cost: z.number().int().describe('millionths of the currency; 0 for a model without a price'),
      reserved: z
        .object({ tokens: z.number().int(), cost: z.number().int() })
        .describe('reserved for the current model call'),
      budget: runBudgetSchema,
      default_max_tokens: z
        .number()
        .int()
        .nullable()
        .describe('tokens after which a run without a budget asks a person; null: it has one, or never asks'),
    }),
    created_at: timestamp,
    finished_at: timestamp.nullable(),
  })
  .meta({ id: 'Run' });

export const listedSessionSchema = sessionSchema
  .extend({
    latest_run: runSchema
      .nullable()
      .describe('latest run that a client started in the session (of the requested kind)'),
  })
  .meta({ id: 'ListedSession', description: 'A session with its latest run.' });

export const workSchema = z
  .object({
    id: z.string().describe('ID of the session'),
    title: z.string().nullable(),
    kind: z.string().describe('kind of its newest run'),
    changed_at: timestamp.describe('when its newest run was started; before the first, when it was created'),
    project_id: z.string().nullable().describe('ID of the book'),
    project_status: z.string().nullable().describe('"status" of the book'),
    latest_run: runSchema.nullable().describe('null for a book without a run'),
  })
  .meta({ id: 'Work', description: 'A document, book, article or plan with its newest state.' });

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
    is_current: z
      .boolean()
      .nullable()
      .describe('documents: whether it was made of the current manuscript; null if that is not known'),
    created_at: timestamp,
  })
  .meta({ id: 'Export' });

export const resultSchema = z
  .object({
    kind: z.string().describe('kind of the runs that create it'),
    name: z.string(),
    run_id: z.string().describe('run that created the current version'),
    media_type: z.string(),
    file_name: z.string(),
    description: z.string(),
    is_current: z
      .boolean()
      .nullable()
      .describe(
        'ledgers: whether it traces the current manuscript; null if that is not known, or for other results',
      ),
    coverage: z
      .number()
      .nullable()
      .describe(
        'manuscripts of documents: share of source lines that the current version carries, 0…1; null if not validated',
      ),
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
    first: z.coerce.number().int().min(1).max(2_000_000_000).default(1).describe('counted from 1'),
    count: z.coerce.number().int().min(1).max(MAX_LINES).default(500),
  })
  .strict();

/** Lines of a text, without line ends. */
export const textLinesSchema = z
  .object({
    first: z.number().int(),
    lines: z
      .array(z.string())
      .describe('fewer than requested if the text ends earlier; lines over 8 KiB are truncated'),
  })
  .meta({ id: 'TextLines' });

/** A file of an upload that was not stored; the rest of the upload was. */
export const leftOutFileSchema = z
  .object({
    name: z.string(),
    reason: z
      .enum(['empty', 'duplicate'])
      .describe(
        '`empty`: the file has no content; `duplicate`: the upload already contains it under this name',
      ),
  })
  .meta({ id: 'LeftOutFile' });
export type LeftOutFile = z.infer<typeof leftOutFileSchema>;

/** Encoding of uploaded inputs in the query of a request. */
export const encodingField = z
  .string()
  .max(1000)
  .optional()
  .describe(
    'encoding, such as windows-1250, of text files that are neither UTF-8 nor start with a byte order mark; they are converted. Or an encoding per name pattern: *.csv=iso-8859-2,*.txt=windows-1250. Files that match no pattern are stored unchanged, and the run asks about them',
  );

/** Response to an upload: stored and skipped files. */
export const uploadOf = <T extends z.ZodType>(item: T) =>
  z.object({ items: z.array(item), left_out: z.array(leftOutFileSchema) });
