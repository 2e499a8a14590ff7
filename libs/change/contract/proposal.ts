import { z } from 'zod';
import { findingSchema, spanSchema } from '#contracts/findings.js';

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
export const changedLedgerSchema = z.object({
  passed: z.boolean().meta({ description: 'whether the changed manuscript passes its validation' }),
  coverage: z.number().nullable().meta({ description: 'share of source lines that it would carry, 0…1' }),
  issues: z.array(z.string()).meta({ description: 'what the validation reports, at most 20' }),
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
