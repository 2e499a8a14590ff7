import { budgetProblems, defineEndpoints } from '#contracts/api/endpoints/endpoint.js';
import { changeSchema, newChangeSchema } from './schemas.js';

const CHANGE = '/api/changes/:run_id';

/** Operations with the tag `changes`. */
export const changesEndpoints = defineEndpoints('changes', {
  proposeChange: {
    method: 'POST',
    path: '/api/changes',
    summary:
      'Propose new words of a model or of your own for a selected part of a chapter, a document, an article or a text; the run streams those of a model',
    body: newChangeSchema,
    status: 202,
    response: changeSchema,
    errors: ['not_found', 'no_model', 'chapter_empty', 'no_manuscript', 'run_active', ...budgetProblems],
  },
  getChange: {
    method: 'GET',
    path: CHANGE,
    summary: 'Read a proposed change of a selection, and what was decided about it',
    response: changeSchema,
  },
  acceptChange: {
    method: 'POST',
    path: `${CHANGE}/accept`,
    summary: 'Replace the selection by the proposed words; everything else stays byte-identical',
    response: changeSchema,
    errors: ['changed_meanwhile', 'decision_answered', 'no_proposal', 'proposal_refused', 'file_in_use'],
  },
  rejectChange: {
    method: 'POST',
    path: `${CHANGE}/reject`,
    summary: 'Reject a proposed change; the text stays as it is',
    response: changeSchema,
    errors: ['decision_answered', 'no_proposal'],
  },
});
