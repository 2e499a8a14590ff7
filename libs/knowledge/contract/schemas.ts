import { WEB_PROTOCOL } from '#contracts/text.js';
import { z } from 'zod';
import { chunkKinds, knowledgePurposes, sourcePriorities, sourceStates } from '../contract.js';
import { referenceChangeSchema, referenceSchema } from '#contracts/bibliography.js';
import { phraseSchema } from '#contracts/phrases/schema.js';
import { pageQuery, titlePart } from '#contracts/api/paging.js';

const timestamp = z.iso.datetime();
const name = z.string().trim().min(1).max(200);
/** Returns a schema of one line of well-formed text without control characters. */
const line = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[^\p{Cc}\p{Cs}]+$/u, 'must be one line without control characters');
const language = z
  .string()
  .regex(/^[a-z]{2}$/)
  .describe('ISO 639-1, such as pl');

export const collectionSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    purpose: z.enum(knowledgePurposes),
    project: z.string().nullable(),
    project_title: z.string().nullable().describe('title of the book to which it belongs'),
    created_at: timestamp,
    sources: z.number().int(),
    chunks: z.number().int().describe('passages that are indexed or being indexed'),
    sources_by_state: z.record(z.enum(sourceStates), z.number().int()),
    vector_model: z.string().nullable().describe('embedding model whose vectors are searched'),
  })
  .meta({ id: 'KnowledgeCollection' });

export const newCollectionSchema = z
  .object({
    name,
    purpose: z.enum(knowledgePurposes).default('knowledge'),
    description: z.string().max(2_000).optional(),
    project: z.string().min(1).max(100).optional(),
  })
  .strict()
  .meta({ id: 'NewKnowledgeCollection' });

export const collectionChangeSchema = z
  .object({
    name: name.optional(),
    description: z.string().max(2_000).nullable().optional(),
  })
  .strict()
  .meta({ id: 'KnowledgeCollectionChange' });

export const collectionsQuery = pageQuery.extend({
  purpose: z.enum(knowledgePurposes).optional(),
  project: z.string().min(1).max(100).optional().describe('id of a project'),
  title: titlePart.describe(
    'only collections whose name, or the title of whose book, contains this text, regardless of case',
  ),
});

export const sourcesQuery = pageQuery.extend({ state: z.enum(sourceStates).optional() });

/**
 * Start of the requested changes of sources: the last event's ID, in ms since 1970, until the end of 9999.
 */
export const changePosition = z.coerce.number().int().min(0).max(253_402_300_799_999);
export const sourceEventsQuery = z.object({ after: changePosition.optional() });

export const sourceSchema = z
  .object({
    id: z.string(),
    collection_id: z.string(),
    name: z.string(),
    title: z.string().nullable(),
    author: z.string().nullable(),
    kind: z.enum(['document', 'web']).describe('a file or note, or the copy of a page'),
    url: z.string().nullable().describe('address of the page whose copy it is'),
    date: z.string().nullable().describe('date of publication, YYYY-MM-DD'),
    fetched_at: timestamp.nullable().describe('when the page was read'),
    reference: referenceSchema.describe(
      'what notes and bibliographies say about it: set by people, or read from the file',
    ),
    priority: z.enum(sourcePriorities),
    language: z
      .string()
      .nullable()
      .describe('given or detected language; null if there is none or more than one'),
    media_type: z.string(),
    size: z.number().int(),
    sha256: z.string(),
    state: z.enum(sourceStates),
    problem: z.string().nullable().describe('why it failed, or why it is delayed'),
    problem_phrase: phraseSchema.optional(),
    chunks: z.number().int(),
    chunks_done: z.number().int(),
    created_at: timestamp,
    changed_at: timestamp,
  })
  .meta({ id: 'KnowledgeSource' });

/** Optional metadata of a source. */
const details = {
  title: line(500).nullable().optional(),
  author: line(200).nullable().optional(),
  date: z.iso.date().nullable().optional().describe('date of publication, YYYY-MM-DD'),
  priority: z.enum(sourcePriorities).optional(),
  language: language.nullable().optional(),
};

export const newNoteSchema = z
  .object({
    name: line(200).describe('a note with an existing name replaces that note'),
    text: z.string().min(1),
    ...details,
  })
  .strict()
  .meta({ id: 'NewKnowledgeNote' });

/** Request to add a video's transcript as a source (A14). */
export const newTranscriptSchema = z
  .object({
    url: z.url({ protocol: WEB_PROTOCOL }).max(2_000).describe('of a YouTube video'),
    language: details.language.unwrap().unwrap().optional().describe('of the captions, ISO 639-1'),
    author: details.author,
    priority: details.priority,
  })
  .strict()
  .meta({ id: 'NewTranscript' });

export const sourceChangeSchema = z
  .object({ ...details, reference: referenceChangeSchema.optional() })
  .strict()
  .meta({ id: 'KnowledgeSourceChange' });

/** Maximum length of a bibliography to import, in characters. */
const MAX_BIBLIOGRAPHY = 2_000_000;

export const referenceImportSchema = z
  .object({
    text: z.string().min(1).max(MAX_BIBLIOGRAPHY).describe('BibTeX, BibLaTeX or CSL-JSON'),
    source_id: z
      .string()
      .min(1)
      .max(100)
      .optional()
      .describe(
        'source that the only entry describes (default: sources with the DOI, title or file name of an entry)',
      ),
  })
  .strict()
  .meta({ id: 'ReferenceImport' });

export const importedReferencesSchema = z
  .object({
    applied: z.array(z.object({ key: z.string(), source_id: z.string(), source_name: z.string() })),
    unmatched: z
      .array(z.object({ key: z.string(), title: z.string().nullable() }))
      .describe('entries that describe no source of the collection, or more than one'),
  })
  .meta({ id: 'ImportedReferences' });

/** Metadata for all files of an upload. */
export const uploadQuery = z.object({
  author: line(200).optional(),
  date: z.iso.date().optional().describe('date of publication, YYYY-MM-DD'),
  priority: z.enum(sourcePriorities).optional(),
  language: language.optional(),
  encoding: z
    .string()
    .max(40)
    .optional()
    .describe('encoding of the text files, such as windows-1250, if it is not UTF-8; they are converted'),
});

export const addedSourceSchema = sourceSchema
  .extend({
    outcome: z
      .enum(['created', 'replaced', 'unchanged'])
      .describe('unchanged: the collection already contains these bytes'),
  })
  .meta({ id: 'AddedKnowledgeSource' });

export const chunkSchema = z
  .object({
    id: z.string(),
    start: z.number().int(),
    end: z.number().int(),
    heading_path: z.array(z.string()),
    kind: z.enum(chunkKinds),
    tokens: z.number().int(),
    language: z.string().nullable(),
    text: z.string(),
  })
  .meta({ id: 'KnowledgeChunk' });

export const reindexSchema = z
  .object({
    collections: z
      .array(z.string().min(1).max(100))
      .min(1)
      .max(1_000)
      .optional()
      .describe('IDs of collections (default: all of the tenant)'),
    dry_run: z.boolean().default(false).describe('only count the sources'),
  })
  .strict()
  .meta({ id: 'KnowledgeReindex' });

export const reindexedSchema = z.object({ sources: z.number().int() }).meta({ id: 'KnowledgeReindexed' });
