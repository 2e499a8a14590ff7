import { z } from 'zod';
import { nameSchema } from '../names.js';
import { pageOf } from './paging.js';
import { runSchema, sessionSchema } from './schemas.js';

export const historyEntrySchema = z
  .object({
    checkpoint_id: z.string().meta({ description: 'what restore and fork take' }),
    parent_checkpoint_id: z.string().nullable(),
    at: z.iso.datetime(),
    step: z.number().int().meta({ description: 'counts from -1, the input' }),
    source: z.enum(['input', 'loop', 'update', 'fork']),
    next: z.array(z.string()).meta({ description: 'the nodes that run next; none at the end' }),
    decisions: z.array(z.string()).meta({ description: 'ids of the decisions that were asked at it' }),
    chapter: z.number().int().nullable(),
    manuscript: z
      .object({ version: z.string(), lines: z.number().int(), bytes: z.number().int() })
      .nullable()
      .meta({ description: 'null before the first line was written' }),
    label: z.string().nullable().meta({ description: 'of the named checkpoint that its step made' }),
    named_checkpoint_id: z.string().nullable(),
  })
  .meta({ id: 'HistoryEntry' });

export const historySchema = pageOf(historyEntrySchema).meta({ id: 'History' });

const stateValueSchema = z.object({
  key: z.string(),
  json: z.string().meta({ description: 'the value as JSON; cut when it is longer than 8,000 characters' }),
  chars: z.number().int().meta({ description: 'of the whole JSON' }),
});

/** Input and output of one step of a run. */
export const runStepSchema = z
  .object({
    checkpoint_id: z.string().meta({ description: 'the one that the step saved' }),
    nodes: z.array(z.string()).meta({ description: 'what ran in it; none for the input of the run' }),
    input: z
      .array(stateValueSchema)
      .meta({ description: 'the state before; `messages` are what the model was told' }),
    output: z.array(stateValueSchema).meta({
      description: 'what is otherwise after it; the whole state when the checkpoint before is not kept',
    }),
  })
  .meta({ id: 'RunStep' });

const pointInTime = {
  run_id: z.string().min(1).max(100),
  checkpoint_id: z
    .string()
    .min(1)
    .max(200)
    .meta({ description: 'of the run’s history, or the id of a named checkpoint that the run made' }),
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
  .meta({ description: '`manuscript.version` of a history, or the id of a named checkpoint' });

export const diffQuery = z.object({
  with: z.string().max(100).optional().meta({ description: 'another session; this one by default' }),
  version,
  with_version: version,
});

const diffSideSchema = z.object({ session_id: z.string(), version: z.string(), lines: z.number().int() });

export const diffSchema = z
  .object({
    from: diffSideSchema,
    to: diffSideSchema,
    added: z.number().int().meta({ description: 'lines' }),
    removed: z.number().int().meta({ description: 'lines' }),
    hunks: z.array(
      z.object({
        old_start: z.number().int(),
        old_lines: z.number().int(),
        new_start: z.number().int(),
        new_lines: z.number().int(),
        lines: z.array(z.string()).meta({ description: 'begin with " ", "-" or "+"' }),
      }),
    ),
  })
  .meta({ id: 'ManuscriptDiff' });
