import { listOf } from '#contracts/api/schemas.js';
import { wordTemplateQuerySchema, wordTemplateSchema } from '#contracts/api/word-template-schemas.js';
import { defineEndpoints, uploadProblems } from '#contracts/api/endpoints/endpoint.js';

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
