import { z } from 'zod';
import { findingSchema, spanSchema } from '#contracts/findings.js';

/** Score from which a chapter needs no revision, and the maximum number of revisions (B9, B10). */
export const PASSING_SCORE = 80;
export const MAX_REVISIONS = 2;

export const guardrails = ['empty_content', 'no_section_heading', 'too_short'] as const;
export type Guardrail = (typeof guardrails)[number];

/** Review of a chapter's version: the decision, its reasons and the reviewer. */
export const chapterReviewSchema = z
  .object({
    score: z.number().min(0).max(100),
    should_revise: z.boolean().meta({ description: 'text of the review' }),
    effective_should_revise: z
      .boolean()
      .meta({ description: 'should_revise, or score < 80, or a guardrail failed' }),
    guardrails: z.array(z.enum(guardrails)).meta({ description: 'those that failed' }),
    words: z.number().int(),
    minimum_words: z.number().int(),
    citation_coverage: z.number().min(0).max(1),
    findings: z.array(findingSchema),
    comments: z.string(),
    revision: z.number().int().meta({ description: '0: the first draft' }),
    reviewer: z.string().meta({ description: 'the model, or "rules"' }),
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
    text: z.string().meta({ description: 'the passage' }),
  })
  .meta({ id: 'ChapterCitation' });
export type ChapterCitation = z.infer<typeof chapterCitationSchema>;
