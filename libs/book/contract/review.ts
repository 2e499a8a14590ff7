import { z } from 'zod';
import { findingSchema, spanSchema } from '#contracts/findings.js';
import { sourceConflictSchema } from '#contracts/research.js';

/** Score from which a chapter needs no revision, and the maximum number of revisions (B9, B10). */
export const PASSING_SCORE = 80;
export const MAX_REVISIONS = 2;

const guardrails = [
  'empty_content',
  'no_section_heading',
  'too_short',
  'changed_headings',
  'cut_end',
  'chat_remarks',
] as const;
export type Guardrail = (typeof guardrails)[number];

/** Review of a chapter's version: the decision, its reasons and the reviewer. */
export const chapterReviewSchema = z
  .object({
    score: z.number().min(0).max(100),
    reviewer_score: z
      .number()
      .optional()
      .describe("the model's score, which findings, length and guardrails lower; absent without a model"),
    should_revise: z.boolean().describe('text of the review'),
    effective_should_revise: z.boolean().describe('should_revise, or score < 80, or a guardrail failed'),
    guardrails: z.array(z.enum(guardrails)).describe('those that failed'),
    words: z.number().int(),
    minimum_words: z.number().int(),
    citation_coverage: z.number().min(0).max(1),
    findings: z.array(findingSchema),
    comments: z.string(),
    open_questions: z
      .array(z.string())
      .default([])
      .describe('questions of the research that the sources do not answer'),
    gaps: z
      .array(z.string())
      .default([])
      .describe('facts that the draft omits because no source supports them'),
    new_facts: z
      .array(z.string())
      .default([])
      .describe('fiction: facts that the draft adds to the world of the book'),
    conflicts: z.array(sourceConflictSchema).default([]).describe('passages that contradict each other'),
    revision: z.number().int().describe('0: the first draft'),
    reviewer: z.string().describe('the model, or "rules"'),
    used_fallback: z.boolean(),
    fallback_stages: z.array(z.string()),
  })
  .meta({ id: 'ChapterReview' });
export type ChapterReview = z.infer<typeof chapterReviewSchema>;

/** Citation in a chapter: the label in its text, and the cited passage. */
export const chapterCitationSchema = z
  .object({
    label: z.string(),
    source_id: z.string(),
    source_title: z.string(),
    author: z.string().nullable(),
    heading_path: z.array(z.string()),
    span: spanSchema,
    text: z.string().describe('the passage'),
    collection_id: z
      .string()
      .nullable()
      .default(null)
      .describe('with source_id: the stored text that the span refers to'),
    kind: z.enum(['document', 'web']).default('document'),
    url: z.string().nullable().default(null).describe('address of the page whose copy was read'),
    date: z.string().nullable().default(null).describe('date of publication, YYYY-MM-DD'),
    fetched_at: z.string().nullable().default(null).describe('when the page was read'),
  })
  .meta({ id: 'ChapterCitation' });
export type ChapterCitation = z.infer<typeof chapterCitationSchema>;
