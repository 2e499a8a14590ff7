import { z } from 'zod';
import { fingerprintSchema, styleReportSchema } from '#contracts/style.js';
import { addedSourceSchema, newNoteSchema, sourceSchema, uploadQuery } from '#knowledge/contract/schemas.js';
import { pageQuery } from '#contracts/api/paging.js';

/** Origin of a style corpus text: the tenant's own, or an example by others (A9). */
export const styleSourceTypes = ['own', 'external'] as const;
export type StyleSourceType = (typeof styleSourceTypes)[number];

/** Maximum length of a text that is compared with a corpus, in characters. */
export const MAX_COMPARED_LENGTH = 500_000;

const sourceType = z.enum(styleSourceTypes).describe('the tenant’s own text, or an example by others');
const { author, language, title } = newNoteSchema.shape;
const authorId = author.unwrap().unwrap().optional().describe('author of the text');

/** Fields of a style corpus text that replace a source's author and priority. */
const corpusText = { source_type: sourceType, author_id: z.string().nullable() };
export const corpusTextSchema = sourceSchema
  .omit({ author: true, priority: true })
  .extend(corpusText)
  .meta({ id: 'CorpusText' });
export const addedCorpusTextSchema = addedSourceSchema
  .omit({ author: true, priority: true })
  .extend(corpusText)
  .meta({ id: 'AddedCorpusText' });

export const corpusIngestSchema = z
  .object({
    source_type: sourceType.default('own'),
    author_id: authorId,
    texts: z
      .array(
        z
          .object({
            title: title.unwrap().unwrap().describe('a text with an existing title replaces that text'),
            text: z.string().min(1),
            language: language.unwrap().unwrap().optional(),
          })
          .strict(),
      )
      .min(1)
      .max(100),
  })
  .strict()
  .meta({ id: 'CorpusTexts' });

/** Metadata for all files of an upload. */
export const corpusUploadQuery = uploadQuery.omit({ author: true, priority: true }).extend({
  source_type: sourceType.default('own'),
  author_id: authorId,
});

/** Selects texts of the corpus. */
const filter = {
  source_type: sourceType.optional(),
  author_id: authorId,
  language: z.enum(['en', 'pl']).optional().describe('default: the language of most texts'),
};
export const corpusTextsQuery = pageQuery.extend({ source_type: filter.source_type, author_id: authorId });
export const fingerprintQuery = z.object(filter);

export const compareSchema = z
  .object({
    text: z.string().min(1).max(MAX_COMPARED_LENGTH),
    ...filter,
    language: filter.language.describe('default: the language of the text'),
  })
  .strict()
  .meta({ id: 'StyleComparison' });

export const comparedSchema = styleReportSchema
  .extend({ corpus: fingerprintSchema.pick({ language: true, texts: true, left_out: true, words: true }) })
  .meta({ id: 'StyleCompared' });
