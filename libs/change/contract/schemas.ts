import { runBudgetSchema } from '#contracts/budgets.js';
import { taskErrorSchema } from '#contracts/task-error.js';
import { findingSchema, spanSchema } from '#contracts/findings.js';
import { z } from 'zod';

const id = z.string().min(1).max(100);

/** The text that a change belongs to. A `text` is stored by the client alone. */
export const targetSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('chapter'), chapter_id: id }).strict(),
  z.object({ kind: z.literal('article') }).strict(),
  z.object({ kind: z.literal('document') }).strict(),
  z.object({ kind: z.literal('text') }).strict(),
]);
export type ChangeTarget = z.infer<typeof targetSchema>;

export const instructionSchema = z.string().trim().min(1).max(4_000);

/** The selected words, and the text before and after them. */
export const excerptSchema = z.object({
  before: z.string().max(6_000),
  selected: z.string().min(1).max(20_000),
  after: z.string().max(6_000),
});

/** A passage that the text may cite by its label. */
export const citedPassageSchema = z.object({
  label: z.string().max(80),
  source_id: z.string().max(200),
  source_title: z.string().max(1_000),
  text: z.string().max(20_000),
  span: spanSchema,
  heading_path: z.array(z.string().max(1_000)).max(50),
  author: z.string().max(1_000).nullish(),
  date: z.string().max(100).nullish(),
});

/** The ledger of a document before and after a change. */
const changedLedgerSchema = z.object({
  passed: z.boolean().describe('whether the changed manuscript passes its validation'),
  coverage: z.number().nullable().describe('share of source lines that it would carry, 0…1'),
  issues: z.array(z.string()).describe('what the validation reports, at most 20'),
});
export type ChangedLedger = z.infer<typeof changedLedgerSchema>;

/** States of a proposal: undecided, or as a person decided. */
const decidedStates = ['proposed', 'accepted', 'rejected'] as const;

/** The stored proposal of a run. */
export const proposalSchema = z.object({
  state: z.enum(decidedStates),
  target: targetSchema,
  base: z.string(),
  span: spanSchema,
  instruction: z.string(),
  before: z.string(),
  after: z.string(),
  note: z.string().nullable(),
  findings: z.array(findingSchema),
  ledger: changedLedgerSchema.nullable(),
  /** Object keys of the changed manuscript and its ledger; of documents only. */
  manuscript_key: z.string().nullable(),
  ledger_key: z.string().nullable(),
});
export type Proposal = z.infer<typeof proposalSchema>;

/** Returns whether nothing in a proposal is proved wrong. A person may accept it in any case. */
export const isAcceptable = ({ findings }: Pick<Proposal, 'findings'>): boolean =>
  findings.every(({ severity }) => severity !== 'error');

const MAX_TEXT = 900_000;
const MAX_OWN_WORDS = 60_000;
const lineNumber = z.number().int().min(1).max(2_000_000_000);

const selectionSchema = z.union([
  z
    .object({
      quote: z
        .string()
        .min(1)
        .max(40_000)
        .refine((text) => text.isWellFormed(), 'must not contain half of a character')
        .describe('the selected words, exactly as in the Markdown of the text'),
      occurrence: z
        .number()
        .int()
        .min(1)
        .max(100_000)
        .optional()
        .describe('which one, counted from 1; required if the words occur several times'),
    })
    .strict(),
  z
    .object({ first_line: lineNumber, last_line: lineNumber })
    .strict()
    .describe('lines of the Markdown, from 1, both included'),
]);

/** Request to propose new words for a selected part of a text. */
export const newChangeSchema = z
  .object({
    chapter_id: z.string().max(100).optional().describe('chapter of a book'),
    session_id: z.string().max(100).optional().describe('session of a document or an article'),
    of: z
      .enum(['document', 'article'])
      .optional()
      .describe('which text of the session (default: its document, else its article)'),
    text: z.string().min(1).max(MAX_TEXT).optional().describe('Markdown that the client stores itself'),
    selection: selectionSchema,
    instruction: instructionSchema.optional().describe('what a model should change'),
    replacement: z
      .string()
      .max(MAX_OWN_WORDS)
      .refine((text) => text.isWellFormed(), 'must not contain half of a character')
      .optional()
      .describe('your own words instead, without a model; empty to remove the selection'),
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
  .refine(({ instruction, replacement }) => (instruction === undefined) !== (replacement === undefined), {
    path: ['instruction'],
    message: 'pass exactly one of instruction and replacement',
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
    instruction: z.string().describe('empty for words of a person'),
    span: spanSchema.describe('the selection, in UTF-16 units of the text it was made in'),
    before: z.string().describe('the selected words'),
    after: z.string().nullable().describe('the proposed words; empty to remove the selection'),
    note: z.string().nullable().describe('what the model adds for the author'),
    findings: z.array(findingSchema).describe('places are in the proposed words'),
    acceptable: z
      .boolean()
      .describe('false if a finding has the severity error; the change may still be accepted'),
    ledger: changedLedgerSchema.nullable().describe('of documents: validation of the changed text'),
    error: taskErrorSchema.nullable(),
  })
  .meta({ id: 'SelectionChange' });
export type SelectionChange = z.infer<typeof changeSchema>;
