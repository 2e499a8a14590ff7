import { z } from 'zod';
import { lineSchema as line } from '#contracts/names.js';
import { findingSchema, spanSchema } from '#contracts/findings.js';
import { researchEnds, researchQuestionSchema, sourceConflictSchema } from '#contracts/research.js';
import { styleDeviationSchema } from '#contracts/style.js';

/** Number of rejections of the whole text that end a run (A4). */
export const MAX_REJECTIONS = 3;
/** Maximum length of a text that a client sends, in characters. */
const MAX_ARTICLE_LENGTH = 200_000;

export const topicSchema = line(500);
export const keywordsSchema = z.array(line(100)).max(30);
export const articleTextSchema = z.string().min(1).max(MAX_ARTICLE_LENGTH);

/** A heading of the article; level 1 is its title. */
const headingSchema = z.object({ level: z.number().int().min(1).max(4), title: line(300) }).strict();
export type Heading = z.infer<typeof headingSchema>;
export const headingsSchema = z.array(headingSchema).min(1).max(60);

const sourceKinds = ['collection', 'web', 'file'] as const;
export type SourceKind = (typeof sourceKinds)[number];

/** Source of the research, as clients receive it (A6); report and article cite it by `label`. */
const researchSourceSchema = z.object({
  label: z.string(),
  url: z.string(),
  title: z.string(),
  summary: z.string(),
  kind: z
    .enum(sourceKinds)
    .default('collection')
    .describe("a source of the tenant's collections, a web page, or a file that the author named"),
  author: z.string().nullable().default(null),
  date: z.string().nullable().default(null).describe('date of publication, YYYY-MM-DD'),
  span: spanSchema.nullable().default(null).describe('position of the passage in the text of the source'),
  collection_id: z
    .string()
    .nullable()
    .default(null)
    .describe('with source_id: the stored text that the span refers to'),
  source_id: z.string().nullable().default(null),
  fetched_at: z.string().nullable().default(null).describe('when the page was read'),
});
export type ResearchSource = z.infer<typeof researchSourceSchema>;

/** An article of the metadata log that a topic resembles (A5, A12). */
export const loggedArticleSchema = z
  .object({
    id: z.string(),
    topic: z.string(),
    date: z.iso.datetime(),
    word_count: z.number().int(),
    mode: z.string(),
    session_id: z.string(),
    similarity: z.number().min(0).max(1).describe('similarity to the requested topic'),
  })
  .meta({ id: 'LoggedArticle' });
export type LoggedArticle = z.infer<typeof loggedArticleSchema>;

/** Paragraph of a draft, with the ID that an answer uses. */
const draftParagraphSchema = z.object({
  id: z.string(),
  kind: z.string(),
  begins: z.string(),
  /** Position in the draft; drafts of earlier releases lack it. */
  span: spanSchema.optional(),
});

const changeSchema = z.object({
  id: z.string(),
  kind: z.enum(['replaced', 'inserted', 'removed']),
  before: z.string(),
  after: z.string(),
  /** Place of `before`; changes of earlier releases lack it. */
  base: spanSchema.optional(),
});

export const duplicateDetailsSchema = z.object({ article: loggedArticleSchema });
export const researchDetailsSchema = z.object({
  report: z.string(),
  headings: z.array(headingSchema),
  sources: z.array(researchSourceSchema),
  findings: z.array(findingSchema),
  questions: z
    .array(researchQuestionSchema)
    .default([])
    .describe('questions of the research; empty if rules did the research, because rules ask none'),
  conflicts: z.array(sourceConflictSchema).default([]).describe('passages that contradict each other'),
  rounds: z.number().int().default(0).describe('rounds of searches since the last request'),
  end: z.enum(researchEnds).nullable().default(null).describe('why the research ended'),
});
export const draftDetailsSchema = z.object({
  draft: z.string(),
  iteration_count: z.number().int(),
  paragraphs: z.array(draftParagraphSchema),
  changes: z.array(changeSchema).describe('changes since the rejected draft'),
  findings: z.array(findingSchema).describe('of the citations'),
  annotations: z.array(findingSchema).describe('comparison of the style with the corpus'),
});
export const shadowDetailsSchema = z.object({
  text: z.string(),
  annotated_text: z.string(),
  corrected_version: z.string(),
  iteration_count: z.number().int(),
  annotations: z.array(findingSchema),
  deviations: z.array(styleDeviationSchema),
  changes: z.array(changeSchema),
});
export type ResearchDetails = z.infer<typeof researchDetailsSchema>;
export type DraftDetails = z.infer<typeof draftDetailsSchema>;
export type ShadowDetails = z.infer<typeof shadowDetailsSchema>;

const needs = (what: string) => `is required for the action ${what}, and only allowed with it`;

export const duplicateAnswerSchema = z.object({ action: z.enum(['continue', 'stop']) }).strict();

/**
 * Decision about the research: approve it, search again for the questions that are given and those still open, or stop.
 * Omitted fields leave the report and the headings unchanged.
 */
export const researchAnswerSchema = z
  .object({
    action: z.enum(['approve', 'search', 'stop']),
    report: z.string().max(MAX_ARTICLE_LENGTH).optional(),
    headings: headingsSchema.optional(),
    questions: z.array(line(300)).min(1).max(10).optional(),
  })
  .strict()
  .refine(({ action, questions }) => (action === 'search') === (questions !== undefined), {
    path: ['questions'],
    message: needs('search'),
  })
  .refine(({ action, report }) => action !== 'search' || report === undefined, {
    path: ['report'],
    message: 'is not allowed with the action search, which writes the report again',
  });

const reasonSchema = z.string().trim().min(1).max(8_000);

/**
 * Decision about a draft: accept it, reject it with feedback, decide about single paragraphs (omitted ones
 * are accepted), return an edited text, or stop.
 */
export const draftAnswerSchema = z
  .object({
    action: z.enum(['accept', 'reject', 'decide', 'edit', 'stop']),
    feedback: reasonSchema.optional(),
    paragraphs: z
      .array(
        z
          .object({
            paragraph_id: z.string().max(60),
            accepted: z.boolean(),
            reason: reasonSchema.optional(),
          })
          .strict(),
      )
      .min(1)
      .max(2_000)
      .optional(),
    text: articleTextSchema.optional(),
  })
  .strict()
  .refine(({ action, feedback }) => (action === 'reject') === (feedback !== undefined), {
    path: ['feedback'],
    message: needs('reject'),
  })
  .refine(({ action, paragraphs }) => (action === 'decide') === (paragraphs !== undefined), {
    path: ['paragraphs'],
    message: needs('decide'),
  })
  .refine(({ action, text }) => (action === 'edit') === (text !== undefined), {
    path: ['text'],
    message: needs('edit'),
  });
export type DraftAnswer = z.infer<typeof draftAnswerSchema>;

/**
 * Decision about a review: approve all changes or only the accepted ones, reject with a reason and optionally
 * name unwanted changes, or stop.
 */
export const shadowAnswerSchema = z
  .object({
    action: z.enum(['approve', 'reject', 'stop']),
    reason: reasonSchema.optional(),
    changes: z
      .array(z.object({ change_id: z.string().max(60), accepted: z.boolean() }).strict())
      .max(2_000)
      .optional(),
  })
  .strict()
  .refine(({ action, reason }) => (action === 'reject') === (reason !== undefined), {
    path: ['reason'],
    message: needs('reject'),
  });
export type ShadowAnswer = z.infer<typeof shadowAnswerSchema>;
