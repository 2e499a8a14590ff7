import { z } from 'zod';
import { budgetProblems, defineEndpoints, inputProblems } from '#contracts/api/endpoints/endpoint.js';
import { encodingField, runSchema } from '#contracts/api/schemas.js';
import { documentKind, newExportSchema } from '../contract.js';

const { title, language, word_template } = documentKind.inputs.shape;

/** Operations of documents with the tag `results`. */
export const documentEndpoints = defineEndpoints('results', {
  exportDocument: {
    method: 'POST',
    path: '/api/sessions/:session_id/exports',
    summary:
      'Convert the current manuscript of a document to Word, with a new ledger; the run writes nothing',
    body: newExportSchema,
    status: 202,
    response: runSchema,
    errors: ['no_manuscript', 'no_inputs', 'run_active', ...budgetProblems],
  },
  convertFiles: {
    method: 'POST',
    path: '/api/conversions',
    summary:
      'Convert files to Markdown and Word with a ledger, by rules alone; questions get their default answer. With sync=1, the response is sent when the run ends',
    query: z.object({
      sync: z.enum(['0', '1']).default('0'),
      encoding: encodingField,
      title,
      language,
      word_template,
    }),
    multipart: 'only',
    status: 202,
    response: runSchema,
    errors: [...inputProblems, 'no_inputs', ...budgetProblems],
  },
});
