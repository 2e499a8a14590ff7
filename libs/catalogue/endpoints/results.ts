import { z } from 'zod';
import { READER_LANGUAGES } from '#contracts/phrases/translator.js';
import { pageOf, pageQuery } from '#contracts/api/paging.js';
import * as schemas from '#contracts/api/schemas.js';
import { lineRangeQuery, textLinesSchema, listOf } from '#contracts/api/schemas.js';
import { defineEndpoints, uploadProblems } from '#contracts/api/endpoints/endpoint.js';
import { createdShareSchema, newShareSchema, shareSchema } from '#contracts/api/link-schemas.js';
import { wordTemplateQuerySchema, wordTemplateSchema } from '#contracts/api/word-template-schemas.js';

/** Operations with the tag `word_templates`. */
export const wordTemplatesEndpoints = defineEndpoints('word_templates', {
  uploadWordTemplate: {
    method: 'POST',
    path: '/api/word-templates',
    summary: 'Upload a Word file as a template; it replaces the template of that name',
    multipart: 'only',
    query: wordTemplateQuerySchema,
    status: 201,
    response: wordTemplateSchema,
    errors: [...uploadProblems, 'storage_quota_exceeded', 'too_many_word_templates'],
  },
  listWordTemplates: {
    method: 'GET',
    path: '/api/word-templates',
    summary: 'List all Word templates by name (a tenant may have 20)',
    response: listOf(wordTemplateSchema),
  },
  deleteWordTemplate: {
    method: 'DELETE',
    path: '/api/word-templates/:word_template_id',
    summary: 'Delete a Word template; Word files that were made with it stay',
  },
});

const encodedExportSchema = z
  .object({
    filename: z.string(),
    media_type: z.string(),
    size: z.number().int().describe('bytes'),
    sha256: z.string(),
    content_base64: z.string(),
  })
  .meta({ id: 'EncodedExport' });

/** Operations with the tag `results`. */
export const resultsEndpoints = defineEndpoints('results', {
  getManuscript: {
    method: 'GET',
    path: '/api/sessions/:session_id/manuscript',
    summary: 'Read the current manuscript (temp_output.md)',
    media: 'text/markdown',
    errors: ['no_manuscript'],
  },
  getManuscriptLines: {
    method: 'GET',
    path: '/api/sessions/:session_id/manuscript/lines',
    summary: 'Read lines of the current manuscript',
    query: lineRangeQuery,
    response: textLinesSchema,
    errors: ['no_manuscript'],
  },
  getLedger: {
    method: 'GET',
    path: '/api/sessions/:session_id/ledger',
    summary: 'Read the verbatim ledger of the last validation (JSON; HTML with format=html)',
    query: z.object({
      format: z.enum(['json', 'html']).default('json'),
      language: z
        .enum(READER_LANGUAGES)
        .optional()
        .describe('Language of the HTML page; without it, the one that Accept-Language prefers'),
    }),
    response: schemas.ledgerSchema,
    media: 'text/html',
    untagged: true,
    errors: ['no_manuscript'],
  },
  listResults: {
    method: 'GET',
    path: '/api/sessions/:session_id/results',
    summary: 'List the current results of the runs of a session, by kind and name',
    response: schemas.listOf(schemas.resultSchema),
  },
  downloadResult: {
    method: 'GET',
    path: '/api/sessions/:session_id/results/:kind/:result_name',
    summary: 'Download the current version of a result',
    media: 'application/octet-stream',
    untagged: true,
  },
  listCheckpoints: {
    method: 'GET',
    path: '/api/sessions/:session_id/checkpoints',
    summary: 'List named checkpoints, oldest first',
    query: pageQuery,
    response: pageOf(schemas.checkpointSchema),
  },
  getCheckpoint: {
    method: 'GET',
    path: '/api/sessions/:session_id/checkpoints/:checkpoint_id',
    summary: 'Download the manuscript at a named checkpoint',
    media: 'text/markdown',
    untagged: true,
  },
  restoreCheckpoint: {
    method: 'POST',
    path: '/api/sessions/:session_id/checkpoints/:checkpoint_id/restore',
    summary: 'Restore the manuscript to a named checkpoint',
    response: schemas.checkpointSchema,
    errors: ['file_in_use'],
  },
  listExports: {
    method: 'GET',
    path: '/api/sessions/:session_id/exports',
    summary: 'List results, newest first',
    query: pageQuery,
    response: pageOf(schemas.exportSchema),
  },
  downloadExport: {
    method: 'GET',
    path: '/api/sessions/:session_id/exports/:export_id',
    summary: 'Download a result',
    media: [
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      'application/pdf',
      'application/octet-stream',
    ],
  },
  exportAsBase64: {
    method: 'GET',
    path: '/api/sessions/:session_id/exports/:export_id/base64',
    summary: 'Download a result of at most 32 MB as base64 in JSON, for clients that cannot download files',
    response: encodedExportSchema,
    errors: ['file_too_large'],
  },
  createShare: {
    method: 'POST',
    path: '/api/sessions/:session_id/shares',
    summary:
      'Create a link by which anyone can read one result until its end (at most 90 days); it ends earlier with its API key',
    body: newShareSchema,
    status: 201,
    response: createdShareSchema,
    shownOnce: 'path',
    errors: ['too_many_links'],
  },
  listShares: {
    method: 'GET',
    path: '/api/sessions/:session_id/shares',
    summary:
      'List the links to results of a session that have not ended, newest first (a session may have 50)',
    response: listOf(shareSchema),
  },
  revokeShare: {
    method: 'DELETE',
    path: '/api/sessions/:session_id/shares/:share_id',
    summary: 'End a link to a result now',
  },
});
