import { z } from 'zod';
import { nameSchema } from '../names.js';
import { pageOf } from './paging.js';
import { runSchema, sessionSchema } from './schemas.js';

export const historyEntrySchema = z
  .object({
    checkpoint_id: z.string().describe('ID that restore and fork accept'),
    parent_checkpoint_id: z.string().nullable(),
    at: z.iso.datetime(),
    step: z.number().int().describe('starts with -1, the input'),
    source: z.enum(['input', 'loop', 'update', 'fork']),
    next: z.array(z.string()).describe('the nodes that run next; none at the end'),
    decisions: z.array(z.string()).describe('IDs of the decisions that were asked at this checkpoint'),
    chapter: z.number().int().nullable(),
    manuscript: z
      .object({ version: z.string(), lines: z.number().int(), bytes: z.number().int() })
      .nullable()
      .describe('null until the first line is written'),
    label: z.string().nullable().describe('label of the named checkpoint that the step created'),
    named_checkpoint_id: z.string().nullable(),
  })
  .meta({ id: 'HistoryEntry' });

export const historySchema = pageOf(historyEntrySchema).meta({ id: 'History' });

const stateValueSchema = z.object({
  key: z.string(),
  json: z.string().describe('value as JSON, truncated to 8,000 characters'),
  chars: z.number().int().describe('length of the whole JSON'),
});

/** Input and output of one step of a run. */
export const runStepSchema = z
  .object({
    checkpoint_id: z.string().describe('checkpoint that the step saved'),
    nodes: z.array(z.string()).describe('nodes that ran in the step; empty for the input of the run'),
    input: z
      .array(stateValueSchema)
      .describe('state before the step; `messages` are the messages that the model received'),
    output: z
      .array(stateValueSchema)
      .describe('changes of the step; the whole state if the previous checkpoint is not stored'),
  })
  .meta({ id: 'RunStep' });

const pointInTime = {
  run_id: z.string().min(1).max(100),
  checkpoint_id: z
    .string()
    .min(1)
    .max(200)
    .describe('ID from the history of the run, or of a named checkpoint that the run created'),
};

export const restoreRequestSchema = z
  .object({
    ...pointInTime,
    /**
     * Action if the session has an active run: reject the request, wait for the run's end, or cancel the run.
     */
    on_conflict: z.enum(['reject', 'enqueue', 'interrupt']).default('reject'),
  })
  .strict()
  .meta({ id: 'RestoreRequest' });

export const forkRequestSchema = z
  .object({ ...pointInTime, title: nameSchema(200).optional() })
  .strict()
  .meta({ id: 'ForkRequest' });

export const forkSchema = z.object({ session: sessionSchema, run: runSchema }).meta({ id: 'Fork' });

export const promoteRequestSchema = z
  .object({
    fork_session_id: z.string().min(1).max(100),
    /** Action if the session has an active run: reject the request, or cancel the run. */
    on_conflict: z.enum(['reject', 'interrupt']).default('reject'),
  })
  .strict()
  .meta({ id: 'PromoteRequest' });

const version = z
  .string()
  .min(1)
  .max(200)
  .optional()
  .describe('`manuscript.version` of a history, or the id of a named checkpoint');

export const diffQuery = z.object({
  with: z.string().max(100).optional().describe('ID of another session (default: this one)'),
  version,
  with_version: version,
});

const diffSideSchema = z.object({ session_id: z.string(), version: z.string(), lines: z.number().int() });

export const diffSchema = z
  .object({
    from: diffSideSchema,
    to: diffSideSchema,
    added: z.number().int().describe('lines'),
    removed: z.number().int().describe('lines'),
    hunks: z.array(
      z.object({
        old_start: z.number().int(),
        old_lines: z.number().int(),
        new_start: z.number().int(),
        new_lines: z.number().int(),
        lines: z.array(z.string()).describe('lines that start with " ", "-" or "+"'),
      }),
    ),
  })
  .meta({ id: 'ManuscriptDiff' });
