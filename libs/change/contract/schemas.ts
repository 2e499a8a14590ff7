import { z } from 'zod';
import { runBudgetSchema } from '#contracts/budgets.js';
import { taskErrorSchema } from '#contracts/task-error.js';
import { findingSchema, spanSchema } from '#contracts/findings.js';
import { changedLedgerSchema, instructionSchema, targetSchema } from './proposal.js';

const MAX_TEXT = 900_000;
const lineNumber = z.number().int().min(1).max(2_000_000_000);

const selectionSchema = z.union([
  z
    .object({
      quote: z
        .string()
        .min(1)
        .max(40_000)
        .refine((text) => text.isWellFormed(), 'must not contain half of a character')
        .meta({ description: 'the selected words, exactly as in the Markdown of the text' }),
      occurrence: z
        .number()
        .int()
        .min(1)
        .max(100_000)
        .optional()
        .meta({ description: 'which one, counted from 1; required if the words occur several times' }),
    })
    .strict(),
  z
    .object({ first_line: lineNumber, last_line: lineNumber })
    .strict()
    .meta({ description: 'lines of the Markdown, from 1, both included' }),
]);

/** Request to propose new words for a selected part of a text. */
export const newChangeSchema = z
  .object({
    chapter_id: z.string().max(100).optional().meta({ description: 'chapter of a book' }),
    session_id: z.string().max(100).optional().meta({ description: 'session of a document or an article' }),
    of: z
      .enum(['document', 'article'])
      .optional()
      .meta({ description: 'which text of the session (default: its document, else its article)' }),
    text: z
      .string()
      .min(1)
      .max(MAX_TEXT)
      .optional()
      .meta({ description: 'Markdown that the client stores itself' }),
    selection: selectionSchema,
    instruction: instructionSchema.meta({ description: 'what should change' }),
    /** If the model call could exceed it, the run asks a person (`budget_exceeded`). */
    budget: runBudgetSchema.default({}),
  })
  .strict()
  .refine(
    ({ chapter_id: chapter, session_id: session, text }) =>
      [chapter, session, text].filter((given) => given !== undefined).length === 1,
    { path: ['chapter_id'], message: 'pass exactly one of chapter_id, session_id and text' },
  )
  .refine(({ of, session_id: session }) => of === undefined || session !== undefined, {
    path: ['of'],
    message: 'is only allowed with session_id',
  })
  .meta({ id: 'NewChange' });
export type NewChange = z.infer<typeof newChangeSchema>;

/** A change of a selection, from the request to the decision. */
export const changeSchema = z
  .object({
    run_id: z.string(),
    session_id: z.string(),
    state: z.enum(['proposing', 'proposed', 'accepted', 'rejected', 'failed']),
    target: targetSchema,
    instruction: z.string(),
    span: spanSchema.meta({ description: 'the selection, in UTF-16 units of the text it was made in' }),
    before: z.string().meta({ description: 'the selected words' }),
    after: z.string().nullable().meta({ description: 'the proposed words; empty to remove the selection' }),
    note: z.string().nullable().meta({ description: 'what the model adds for the author' }),
    findings: z.array(findingSchema).meta({ description: 'places are in the proposed words' }),
    acceptable: z
      .boolean()
      .meta({ description: 'false if a finding has the severity error; the change may still be accepted' }),
    ledger: changedLedgerSchema
      .nullable()
      .meta({ description: 'of documents: validation of the changed text' }),
    error: taskErrorSchema.nullable(),
  })
  .meta({ id: 'SelectionChange' });
export type SelectionChange = z.infer<typeof changeSchema>;
