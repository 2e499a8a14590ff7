import { findingSchema, spanSchema } from '#contracts/findings.js';
import { PROPOSAL_KINDS } from '#contracts/proposals.js';
import { pageQuery } from '#contracts/api/paging.js';
import { z } from 'zod';

export const proposalStates = ['open', 'accepted', 'rejected'] as const;
const proposalOrigins = ['reviewer', 'rule', 'model'] as const;

/** What a person changed in a Word file, or wrote about it, and what was decided. */
export const proposalSchema = z
  .object({
    run_id: z.string().meta({ description: 'the run that proposes it' }),
    number: z.number().int().meta({ description: 'number within the run, from 1; in a review by position' }),
    kind: z.enum(PROPOSAL_KINDS).meta({
      description: '`format` and `outside` can be read only: they do not change the manuscript',
    }),
    origin: z.enum(proposalOrigins).meta({ description: 'who proposes it' }),
    author: z
      .string()
      .nullable()
      .meta({ description: 'reviewer or rule; null for a model and for a change that nobody tracked' }),
    reason: z.string().nullable().meta({ description: 'why a model proposes it' }),
    evidence: z
      .array(findingSchema)
      .meta({ description: 'findings that a rule corrects, or about the words of a model' }),
    date: z.string().nullable().meta({ description: 'as Word wrote it' }),
    before: z
      .string()
      .meta({ description: 'words before the change; of a comment, the words that it is about' }),
    after: z.string(),
    span: spanSchema.meta({ description: 'place in the manuscript, in UTF-16 units' }),
    chapter_id: z
      .string()
      .nullable()
      .meta({ description: 'chapter of a book that the places refer to; null for other texts' }),
    line: z.number().int().meta({ description: 'line of the manuscript, from 1; 0 outside of a review' }),
    paragraph: z.object({ start: z.number().int(), text: z.string() }).nullable().meta({
      description:
        'what stands around the span in the manuscript, to the next blank lines or 2,000 characters; null for `outside`',
    }),
    source: z
      .object({ name: z.string(), line: z.number().int(), text: z.string() })
      .nullable()
      .meta({ description: 'line of a source that the changed line carries' }),
    leaves_source: z.boolean().meta({
      description: 'whether the manuscript would no longer carry the line of the source word for word',
    }),
    within: z
      .number()
      .int()
      .nullable()
      .meta({ description: 'number of the proposal whose words this one deletes' }),
    move: z.string().nullable().meta({ description: 'both ends of a move have the same name' }),
    comment: z.string().nullable(),
    reply_to: z
      .number()
      .int()
      .nullable()
      .meta({ description: 'number of the comment that this one replies to' }),
    place: z.string().nullable().meta({
      description:
        'of `outside`: header, text_box, table_row, endnote or not_in_manuscript; `not_applicable` if an accepted change cannot be applied automatically',
    }),
    state: z.enum(proposalStates),
    applied: z.boolean().meta({ description: 'whether a version of the manuscript was made with it' }),
    answer: z.string().nullable().meta({ description: 'what was answered to it' }),
    decided_by: z.string().nullable().meta({ description: 'ID of the key that decided' }),
  })
  .meta({ id: 'Proposal' });
export type ProposalView = z.infer<typeof proposalSchema>;

export const proposalsQuery = pageQuery.extend({
  state: z.enum(proposalStates).optional(),
  author: z.string().min(1).max(300).optional().meta({ description: 'reviewer or rule' }),
  run_id: z.string().min(1).max(300).optional(),
});
export type ProposalFilter = Omit<z.infer<typeof proposalsQuery>, 'limit' | 'cursor'>;

/** Decision about some proposals of a run: by number, by author, or all. */
export const proposalDecisionSchema = z
  .object({
    state: z.enum(proposalStates).optional(),
    answer: z.string().trim().min(1).max(4_000).optional(),
    numbers: z.array(z.number().int().min(1).max(2_000_000_000)).min(1).max(1_000).optional(),
    author: z
      .string()
      .max(300)
      .nullable()
      .optional()
      .meta({ description: 'null: changes that nobody tracked' }),
    all: z.literal(true).optional(),
  })
  .strict()
  .refine(({ state, answer }) => state !== undefined || answer !== undefined, {
    path: ['state'],
    message: 'pass state, answer or both',
  })
  .refine(
    ({ numbers, author, all }) => [numbers, author, all].filter((given) => given !== undefined).length === 1,
    { path: ['numbers'], message: 'pass exactly one of numbers, author and all' },
  )
  .meta({ id: 'ProposalDecision' });
export type ProposalDecision = z.infer<typeof proposalDecisionSchema>;

/** Number of proposals in each state. */
export const proposalCountsSchema = z
  .object({ open: z.number().int(), accepted: z.number().int(), rejected: z.number().int() })
  .meta({ id: 'ProposalCounts' });

export const commentedTexts = ['document', 'article', 'chapter'] as const;
const chapterField = z.string().max(300).optional().meta({ description: 'chapter of the session’s book' });

export const commentsQuery = pageQuery.extend({
  of: z.enum(commentedTexts).optional(),
  chapter_id: chapterField,
});

/** A comment, or a reply, which is about the same words as its thread. */
export const newCommentSchema = z
  .object({
    of: z.enum(commentedTexts).default('document'),
    chapter_id: chapterField,
    quote: z
      .string()
      .max(4_000)
      .default('')
      .meta({ description: 'the words that it is about, as in the Markdown; empty for the whole text' }),
    start: z
      .number()
      .int()
      .min(0)
      .max(2_000_000_000)
      .default(0)
      .meta({ description: 'where the words begin, in UTF-16 units' }),
    reply_to: z.string().max(300).optional().meta({ description: 'first comment of the thread' }),
    text: z.string().trim().min(1).max(4_000),
  })
  .strict()
  .meta({ id: 'NewComment' });

export const commentSchema = z
  .object({
    id: z.string(),
    of: z.enum(commentedTexts),
    chapter_id: z.string().nullable(),
    quote: z.string(),
    start: z.number().int(),
    reply_to: z.string().nullable(),
    text: z.string(),
    author: z.string().meta({ description: 'name of the key that wrote it, or of who replied in Word' }),
    created_at: z.iso.datetime(),
    resolved_at: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'of the first comment of a thread; null while it is open' }),
  })
  .meta({ id: 'Comment', description: 'What a person says about a text, or a reply to it.' });

export const commentChangesSchema = z
  .object({ is_resolved: z.boolean().meta({ description: 'of a thread; false opens it again' }) })
  .strict()
  .meta({ id: 'CommentChanges' });
