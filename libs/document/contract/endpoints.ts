import { budgetProblems, defineEndpoints } from '#contracts/api/endpoints/endpoint.js';
import { runSchema } from '#contracts/api/schemas.js';
import { newExportSchema } from '../contract.js';

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
});
