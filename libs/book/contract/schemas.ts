import { referenceChangeSchema } from '#contracts/bibliography.js';
import { z } from 'zod';
import { factSchema } from '#contracts/facts.js';
import { spanSchema } from '#contracts/findings.js';
import { phraseSchema } from '#contracts/phrases/schema.js';
import { sourcePriorities, sourceStates } from '#knowledge/contract.js';
import {
  chapterOutlineChangesSchema,
  chapterOutlineSchema,
  outlineChangesSchema,
  outlineChapterSchema,
} from './outline.js';
import { conversationSchema } from './conversation.js';
import { bookMetadataInputSchema, bookMetadataSchema, bookProfileSchema } from './profile.js';
import { chapterCitationSchema, chapterReviewSchema } from './review.js';
import { pageQuery, titlePart } from '#contracts/api/paging.js';
import { runSchema } from '#contracts/api/schemas.js';

const timestamp = z.iso.datetime();

export const bookStatuses = ['draft', 'outlined', 'writing', 'written', 'exported'] as const;
export type BookStatus = (typeof bookStatuses)[number];
export const chapterStatuses = ['planned', 'written', 'accepted'] as const;
export type ChapterStatus = (typeof chapterStatuses)[number];

export const bookProjectSchema = z
  .object({
    id: z.string(),
    session_id: z.string().describe('session with its runs and results'),
    title: z.string(),
    status: z.enum(bookStatuses),
    outline_json: z.object({
      synopsis: z.string(),
      chapters: z.array(outlineChapterSchema.extend({ id: z.string(), number: z.number().int() })),
    }),
    metadata_json: bookMetadataSchema,
    etag: z.string().describe('ETag of this state, for If-Match'),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'BookProject' });

export const bookProjectsQuery = pageQuery.extend({ title: titlePart });

export const listedBookProjectSchema = bookProjectSchema
  .extend({
    latest_run: runSchema.nullable().describe('latest run of the book that a client started'),
  })
  .meta({ id: 'ListedBookProject', description: 'A book project with its latest run.' });

export const newBookProjectSchema = bookProfileSchema
  .extend({ metadata_json: bookMetadataInputSchema.optional() })
  .strict()
  .meta({ id: 'NewBookProject' });

export const bookProjectChangesSchema = newBookProjectSchema
  .extend({ outline_json: outlineChangesSchema.optional() })
  .strict()
  .meta({ id: 'BookProjectChanges' });

const MAX_CHAPTER_TEXT = 900_000;
const chapterFields = {
  number: z.number().int().min(1).describe('new position; other chapters move'),
  title: z.string().trim().min(1).max(300),
  content: z.string().max(MAX_CHAPTER_TEXT).describe('Markdown; creates a new version'),
  summary: z.string().max(4_000),
};

/** A chapter without its text, for lists. */
export const bookChapterSchema = z
  .object({
    id: z.string(),
    project_id: z.string(),
    number: z.number().int(),
    title: z.string(),
    summary: z.string(),
    status: z.enum(chapterStatuses),
    outline: chapterOutlineSchema,
    version: z.number().int().describe('version of the text; 0 if there is no text yet'),
    vector_indexed: z.boolean(),
    score: z.number().nullable().describe('score of the newest text in its review, 0 to 100'),
    etag: z.string().describe('ETag of this state, for If-Match'),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'BookChapter' });

export const bookChapterTextSchema = bookChapterSchema
  .extend({
    content: z.string(),
    kept_paragraphs: z
      .array(z.string())
      .describe(
        'IDs of paragraphs that a person wrote or accepted; runs leave them as they are until they are released',
      ),
    review: chapterReviewSchema.nullable(),
    citations: z.array(chapterCitationSchema),
    facts: z.array(factSchema),
  })
  .meta({ id: 'BookChapterText' });

export const newBookChapterSchema = z
  .object({ ...chapterFields, number: chapterFields.number.optional(), outline: chapterOutlineSchema })
  .partial({ content: true, summary: true, outline: true })
  .strict()
  .meta({ id: 'NewBookChapter' });
export const newChapterOfProjectSchema = newBookChapterSchema
  .extend({ project_id: z.string().max(100) })
  .strict()
  .meta({ id: 'NewChapterOfProject' });

export const bookChapterChangesSchema = z
  .object({
    ...chapterFields,
    status: z.enum(['written', 'accepted']),
    outline: chapterOutlineChangesSchema.describe('omitted fields stay unchanged'),
    released_paragraphs: z
      .array(z.string().max(60))
      .max(5_000)
      .describe('IDs of kept_paragraphs that runs may change again'),
  })
  .partial()
  .strict()
  .meta({ id: 'BookChapterChanges' });

export const chapterVersionSchema = z
  .object({
    number: z.number().int(),
    origin: z.enum(['run', 'person', 'restore', 'decisions']),
    run_id: z.string().nullable(),
    words: z.number().int(),
    review: chapterReviewSchema.nullable(),
    created_at: timestamp,
  })
  .meta({ id: 'ChapterVersion' });
export const chapterVersionTextSchema = chapterVersionSchema
  .extend({ content: z.string() })
  .meta({ id: 'ChapterVersionText' });

const versionNumber = z.coerce.number().int().min(1).max(1_000_000);
export const versionRangeQuery = z.object({
  from: versionNumber.optional().describe('default: the previous version'),
  to: versionNumber.optional().describe('default: the newest version'),
});
export const restoreVersionSchema = z
  .object({ version: z.number().int().min(1).max(1_000_000) })
  .strict()
  .meta({ id: 'RestoreVersion' });

/** One change of a revision (X8). */
export const revisionChangeSchema = z
  .object({
    id: z.string(),
    kind: z.enum(['replaced', 'inserted', 'removed']),
    before: z.string(),
    after: z.string(),
    base: spanSchema,
    revised: spanSchema,
  })
  .meta({ id: 'RevisionChange' });
export const revisionChangesSchema = z
  .object({ from: z.number().int(), to: z.number().int(), changes: z.array(revisionChangeSchema) })
  .meta({ id: 'RevisionChanges' });

export const paragraphDecisionsSchema = z
  .object({
    from: z.number().int().min(1).max(1_000_000).describe('the version that was revised'),
    to: z.number().int().min(1).max(1_000_000).describe('the revision'),
    decisions: z
      .array(
        z
          .object({
            change_id: z.string().max(40),
            accepted: z.boolean(),
            reason: z.string().max(2_000).nullable().default(null),
          })
          .strict(),
      )
      .min(1)
      .max(2_000),
  })
  .strict()
  .meta({ id: 'ParagraphDecisions' });

/** Statements of later chapters about facts that a chapter has changed. */
export const chapterImpactSchema = z
  .object({
    from: z.number().int(),
    to: z.number().int(),
    changed: z
      .array(z.object({ kind: z.string(), text: z.string(), change: z.enum(['removed', 'added']) }))
      .describe('facts that only one of the two versions states'),
    affected: z.array(
      z.object({
        chapter_id: z.string(),
        number: z.number().int(),
        title: z.string(),
        relies_on: z.array(factSchema).describe('its text about facts that the chapter no longer states'),
      }),
    ),
  })
  .meta({ id: 'ChapterImpact' });

export const chaptersQuery = pageQuery.extend({ project_id: z.string().max(100) });

export const profileMessageSchema = z
  .object({
    messages: conversationSchema,
    profile: bookProfileSchema
      .optional()
      .describe('known facts in addition to the project: the field_updates so far'),
    by_rules: z.boolean().optional().meta({
      deprecated: true,
      description: 'true: the response is needs_model, because rules no longer reply',
    }),
  })
  .strict()
  .meta({ id: 'ProfileMessage' });

/** A source of a book (B14, B20). */
export const bookSourceSchema = z
  .object({
    id: z.string(),
    project_id: z.string(),
    title: z.string(),
    source_type: z.enum(['note', 'file', 'web']),
    metadata_json: z.object({
      source_priority_label: z.enum(sourcePriorities),
      source_priority_weight: z.number().int(),
      author: z.string().nullable(),
      url: z.string().nullable().describe('address of the page whose copy it is'),
      date: z.string().nullable().describe('date of publication, YYYY-MM-DD'),
      fetched_at: timestamp.nullable().describe('when the page was read'),
      collection_id: z.string(),
      state: z.enum(sourceStates),
      problem: z.string().nullable(),
      problem_phrase: phraseSchema.optional(),
      chunks: z.number().int(),
    }),
    created_at: timestamp,
  })
  .meta({ id: 'BookSource' });

export const newBookSourceSchema = z
  .object({
    title: z.string().trim().min(1).max(200),
    content: z.string().min(1).max(MAX_CHAPTER_TEXT).describe('text or markdown'),
    author: z.string().trim().min(1).max(200).optional(),
    date: z.iso.date().optional().describe('date of publication, YYYY-MM-DD'),
    priority: z.enum(sourcePriorities).default('supporting'),
  })
  .strict()
  .meta({ id: 'NewBookSource' });

export const newSourceOfProjectSchema = newBookSourceSchema
  .extend({ project_id: z.string().max(100) })
  .strict()
  .meta({ id: 'NewSourceOfProject' });

export const bookSourcesQuery = pageQuery.extend({ project_id: z.string().max(100) });

export const bookSourceChangesSchema = z
  .object({
    title: z.string().trim().min(1).max(200),
    content: newBookSourceSchema.shape.content,
    author: z.string().trim().min(1).max(200).nullable(),
    date: z.iso.date().nullable(),
    reference: referenceChangeSchema,
    priority: z.enum(sourcePriorities),
  })
  .partial()
  .strict()
  .meta({ id: 'BookSourceChanges' });
