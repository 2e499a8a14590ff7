import { z } from 'zod';
import { citationStyleSchema } from '#contracts/bibliography.js';
import { pdfStandardField, trackedField, wordTemplateField } from '#contracts/api/word-template-schemas.js';
import { exportFormats, pdfStandards, trimSizes } from '#contracts/file-kinds.js';
import { conversationSchema, profileReplySchema } from './contract/conversation.js';
import { givenOperationsSchema } from './contract/operations.js';
import { outlineChangesSchema } from './contract/outline.js';
import { bookProfileSchema, MAX_CHAPTERS } from './contract/profile.js';
import { phraseSchema } from '#contracts/phrases/schema.js';
import { defineRunKind, type TaskDefinition } from '#contracts/run-kind.js';
import { namedSourcesSchema } from '#knowledge/contract/named-sources.js';

/** Tasks that a book's graph delegates to other workers. */
const bookTasks = {
  /** B12: the current chapters → one file, stored as an export of the session. */
  book_export: {
    queue: 'converter',
    input: z.object({
      session_id: z.string(),
      project_id: z.string(),
      format: z.enum(exportFormats),
      citation_style: citationStyleSchema.optional(),
      trim_size: z.enum(trimSizes).optional(),
      pdf_standard: z.enum(pdfStandards).optional(),
      index: z.boolean().optional(),
      list_of_figures: z.boolean().optional(),
      proposals: z.literal('tracked').optional(),
    }),
    output: z.object({ export_id: z.string(), name: z.string(), bytes: z.number().int() }),
    timeoutMs: 2_400_000,
    attempts: 3,
    inputFiles: () => null,
  },
} satisfies Record<string, TaskDefinition>;

export const bookModes = ['toc', 'refine_toc', 'chapter', 'export', 'book', 'assist_profile'] as const;
export type BookMode = (typeof bookModes)[number];

/**
 * Runs of kind `book` (B4): create or refine an outline, write one chapter or all missing ones, export the
 * book, or reply as the profile assistant.
 */
export const bookKind = defineRunKind({
  kind: 'book',
  modes: bookModes,
  inputs: z.object({
    feedback: z
      .string()
      .trim()
      .min(1)
      .max(8_000)
      .optional()
      .describe(
        'mode refine_toc: what to change in the outline; mode chapter: what to change in the present text. Needs a model.',
      ),
    operations: givenOperationsSchema
      .optional()
      .describe('mode refine_toc, instead of feedback: the changes of the outline, in order; needs no model'),
    propose: z
      .boolean()
      .optional()
      .describe(
        'mode refine_toc: only propose the outline, in the progress as output_payload.proposed_outline, without saving it',
      ),
    chapter_number: z.number().int().min(1).max(MAX_CHAPTERS).optional(),
    chapter_id: z.string().max(100).optional(),
    sources: namedSourcesSchema
      .optional()
      .describe(
        'mode chapter: what the chapter is written from first: https://…, a source of the book, or an uploaded input',
      ),
    research_rounds: z
      .number()
      .int()
      .min(0)
      .max(5)
      .optional()
      .describe(
        'modes chapter and book: maximum number of rounds of questions and searches before a first draft (default: 1)',
      ),
    formats: z.array(z.enum(exportFormats)).min(1).max(exportFormats.length).optional(),
    citation_style: citationStyleSchema
      .optional()
      .describe("mode export: citation style (default: the profile's)"),
    trim_size: z
      .enum(trimSizes)
      .optional()
      .describe(`mode export: page size of docx and pdf (default: ${trimSizes[0]})`),
    index: z
      .boolean()
      .optional()
      .describe(
        'mode export: docx, pdf and epub end with an index of the names and terms that the chapters state',
      ),
    list_of_figures: z
      .boolean()
      .optional()
      .describe(
        'mode export: whether docx and pdf list figures and tables after the contents (default: if many have captions)',
      ),
    pdf_standard: pdfStandardField,
    word_template: wordTemplateField,
    proposals: trackedField,
    messages: conversationSchema.optional(),
    // Without the schema's name, because the OpenAPI document contains the inputs of a kind inline.
    profile: z
      .strictObject(bookProfileSchema.shape)
      .optional()
      .describe('mode assist_profile: known facts in addition to the project'),
  }),
  needsFiles: false,
  ofProjects: true,
  /** B5. */
  waitSeconds: (mode) => (mode === 'chapter' || mode === 'book' ? 480 : 240),
  tasks: bookTasks,
  questions: {},
  events: {
    chapter_researched: 'a round of questions and searches for a chapter ended',
    chapter_reviewed: 'a draft of a chapter was scored',
    chapter_persisted: 'a chapter was written and indexed',
    chapter_kept: 'the text before stays, because it is better than the new one or a person changed it',
    outline_saved: 'the outline of the book was saved',
  },
  progress: z.object({
    project_id: z.string(),
    trace_id: z.string(),
    chapter_id: z.string().nullable(),
    chapter_number: z.number().int().nullable(),
    output_payload: z.object({
      progress: z.object({ current_node: z.string().nullable(), revision_count: z.number().int() }),
      used_fallback: z.boolean(),
      fallback_stages: z.array(z.string()),
      score: z.number().nullable(),
      proposed_outline: outlineChangesSchema.nullable(),
      outline_changes: z
        .object({
          changes: z.array(z.string()),
          unclear: z.array(z.string()),
          change_phrases: z.array(phraseSchema.nullable()).optional(),
          unclear_phrases: z.array(phraseSchema.nullable()).optional(),
        })
        .nullable()
        .describe(
          'modes toc and refine_toc: the changes in words, and the requests that could not be followed, each with its phrase; null for the words of a model',
        ),
      profile_reply: profileReplySchema
        .nullable()
        .describe('mode assist_profile: proposal; the profile changes only when its author finalises it'),
      kept_text: z
        .object({ version: z.number().int(), score: z.number().nullable(), new_score: z.number() })
        .nullable()
        .default(null)
        .describe(
          'mode chapter: set if the text before stays, because it is better or a person changed it; version is the new text',
        ),
      stopped: z.boolean().describe('mode book: the run was stopped between two chapters'),
      exports: z.array(z.object({ id: z.string(), format: z.string(), name: z.string() })),
    }),
    timings_json: z.object({ nodes: z.record(z.string(), z.number()) }),
  }),
  results: {},
});
