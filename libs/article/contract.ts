import { phrase } from '#contracts/phrases/phrase.js';
import { z } from 'zod';
import { citationStyleSchema } from '#contracts/bibliography.js';
import { pdfStandardField, trackedField, wordTemplateField } from '#contracts/api/word-template-schemas.js';
import { exportFormats } from '#contracts/file-kinds.js';
import { lineSchema as line } from '#contracts/names.js';
import { articleTasks } from './contract/tasks.js';
import { platformSchema, platforms } from './contract/repurpose.js';
import {
  articleTextSchema,
  headingsSchema,
  keywordsSchema,
  topicSchema,
  draftAnswerSchema,
  draftDetailsSchema,
  duplicateAnswerSchema,
  duplicateDetailsSchema,
  researchAnswerSchema,
  researchDetailsSchema,
  shadowAnswerSchema,
  shadowDetailsSchema,
} from './contract/values.js';
import { defineRunKind, type QuestionDefinition } from '#contracts/run-kind.js';
import { namedSourcesSchema } from '#knowledge/contract/named-sources.js';

/**
 * `article_duplicate` (A5: the topic resembles an article of the log), `article_research` (A3: report and
 * headings), `article_draft` (A3, A4), `article_shadow` (A7).
 */
const articleQuestions = {
  article_duplicate: { details: duplicateDetailsSchema, answer: () => duplicateAnswerSchema },
  article_research: { details: researchDetailsSchema, answer: () => researchAnswerSchema },
  article_draft: { details: draftDetailsSchema, answer: () => draftAnswerSchema },
  article_shadow: { details: shadowDetailsSchema, answer: () => shadowAnswerSchema },
} as const satisfies Record<string, QuestionDefinition>;

export const articleModes = ['author', 'shadow', 'repurpose', 'export'] as const;
export type ArticleMode = (typeof articleModes)[number];

const collections = z.array(z.string().min(1).max(100)).min(1).max(50).optional();
const MARKDOWN = 'text/markdown; charset=utf-8';

/** Rounds of questions and searches: maximum, and number without an input. */
const MAX_ROUNDS = 5;
export const DEFAULT_ROUNDS = 2;

export const NO_CORPUS_ADVICE = phrase('no_corpus.add_texts');

/**
 * Runs of kind `article` (A1): write an article on a topic, review a text against a style corpus, rewrite an
 * article for platforms (A14), or export it to files.
 */
export const articleKind = defineRunKind({
  kind: 'article',
  modes: articleModes,
  inputs: z.object({
    topic: topicSchema.optional().describe('mode author: topic of the article'),
    keywords: keywordsSchema.optional(),
    headings: headingsSchema.optional().describe('headings that the research and the article must follow'),
    user_text: articleTextSchema
      .optional()
      .describe(
        'mode shadow: text to review; modes repurpose and export: article (default: the last one approved in the session)',
      ),
    platforms: z
      .array(platformSchema)
      .min(1)
      .max(platforms.length)
      .refine((all) => new Set(all).size === all.length, 'must differ')
      .optional()
      .describe('mode repurpose: target platforms (default: all)'),
    collections: collections.describe(
      'IDs of the collections to search (default: all with the purpose knowledge)',
    ),
    style_collections: collections.describe('IDs of the style corpora (default: all with the purpose style)'),
    rules: z
      .enum(['corpus', 'general'])
      .optional()
      .describe(
        'mode shadow: what to compare the text with: the style corpus (default), or general rules, which need no corpus',
      ),
    sources: namedSourcesSchema
      .optional()
      .describe('mode author: what the research reads first: https://…, or an uploaded input'),
    research: z
      .enum(['collections', 'web', 'named'])
      .optional()
      .describe(
        "what the research searches: the tenant's own collections (default), the web after the collections that the inputs name, or nothing but inputs.sources",
      ),
    research_rounds: z
      .number()
      .int()
      .min(0)
      .max(MAX_ROUNDS)
      .optional()
      .describe(
        `mode author: maximum number of rounds of questions and searches after the first search (default: ${DEFAULT_ROUNDS})`,
      ),
    words: z
      .number()
      .int()
      .min(100)
      .max(20_000)
      .optional()
      .describe('mode author: length (default: what the sources give)'),
    language: z
      .string()
      .regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/)
      .optional(),
    formats: z
      .array(z.enum(exportFormats))
      .min(1)
      .max(exportFormats.length)
      .optional()
      .describe('mode export: files to write (default: docx and pdf)'),
    citation_style: citationStyleSchema.optional().describe('mode export: citation style'),
    pdf_standard: pdfStandardField,
    word_template: wordTemplateField,
    proposals: trackedField,
    author: line(300).optional().describe("mode export: author, for the files' properties"),
    allow_duplicate: z
      .boolean()
      .optional()
      .describe('continue without a question if the topic resembles an article in the log'),
  }),
  needsFiles: false,
  needsStyle: (mode, { rules, style_collections: collections }) =>
    mode === 'shadow' && rules !== 'general'
      ? { advice: NO_CORPUS_ADVICE, ...(collections ? { collections: collections as string[] } : {}) }
      : null,
  tasks: articleTasks,
  questions: articleQuestions,
  events: {
    duplicate_detected: 'the topic resembles an article in the log',
    research_round: 'a round of questions and searches ended',
    research_done: 'the sources of an article were found',
    draft_written: 'a draft of an article was written',
    article_repurposed: 'an article was repurposed for platforms',
    article_saved: 'an approved article was added to the log',
  },
  progress: z.object({
    topic: z.string().nullable(),
    iteration_count: z.number().int().describe('rejections so far'),
    approved: z.boolean(),
    duplicate_detected: z.boolean(),
    duplicate_article: z.string().nullable(),
    sources: z.number().int(),
    open_questions: z.number().int().describe('questions of the research without an answer'),
    used_fallback: z.boolean(),
    fallback_stages: z.array(z.string()),
    timings_json: z.object({ nodes: z.record(z.string(), z.number()) }),
    exports: z
      .array(z.object({ id: z.string(), format: z.string(), name: z.string() }))
      .optional()
      .describe('mode export: the files so far'),
  }),
  results: {
    article: {
      mediaType: MARKDOWN,
      fileName: 'article.md',
      description: 'the newest draft, or the approved article',
    },
    sources: {
      mediaType: 'application/json',
      fileName: 'sources.json',
      description: 'passages that the approved article can cite, by their labels',
    },
    report: {
      mediaType: MARKDOWN,
      fileName: 'research.md',
      description: 'findings of the research, with sources',
    },
    annotated: {
      mediaType: MARKDOWN,
      fileName: 'annotated.md',
      description: 'the text with its annotations',
    },
    corrected: { mediaType: MARKDOWN, fileName: 'corrected.md', description: 'the corrected text' },
    linkedin: {
      mediaType: MARKDOWN,
      fileName: 'linkedin.md',
      description: 'the article as a post for LinkedIn',
    },
    x_thread: { mediaType: MARKDOWN, fileName: 'x-thread.md', description: 'the article as a thread for X' },
    newsletter: {
      mediaType: MARKDOWN,
      fileName: 'newsletter.md',
      description: 'the article as a newsletter',
    },
    video_script: {
      mediaType: MARKDOWN,
      fileName: 'video-script.md',
      description: 'the article as a script for a short video',
    },
  },
});

export type ArticleRunInputs = z.infer<typeof articleKind.inputs>;
