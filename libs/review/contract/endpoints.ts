import { budgetProblems, defineEndpoints, uploadProblems } from '#contracts/api/endpoints/endpoint.js';
import { pageOf, pageQuery } from '#contracts/api/paging.js';
import { runSchema } from '#contracts/api/schemas.js';
import { proposalCountsSchema, proposalDecisionSchema, proposalSchema } from './schemas.js';

const REVIEW = '/api/reviews/:run_id';

/** Operations with the tag `reviews`. */
export const reviewsEndpoints = defineEndpoints('reviews', {
  startReview: {
    method: 'POST',
    path: '/api/sessions/:session_id/reviews',
    summary: 'Read what people changed in a Word file of the session that came back; the run lists proposals',
    multipart: 'only',
    status: 202,
    response: runSchema,
    errors: [...uploadProblems, 'no_manuscript', 'storage_quota_exceeded', 'run_active', ...budgetProblems],
  },
  listProposals: {
    method: 'GET',
    path: `${REVIEW}/proposals`,
    summary: 'List the changes and comments of a review, in the order of the document',
    query: pageQuery,
    response: pageOf(proposalSchema),
  },
  decideProposals: {
    method: 'POST',
    path: `${REVIEW}/decisions`,
    summary: 'Accept, reject or answer proposals of a review: by number, by author, or all',
    body: proposalDecisionSchema,
    response: proposalCountsSchema,
    errors: ['decision_answered'],
  },
  finishReview: {
    method: 'POST',
    path: `${REVIEW}/finish`,
    summary:
      'Make a version of the manuscript with the accepted proposals, the rest byte-identical, and a new Word file',
    status: 202,
    response: runSchema,
    errors: [
      'no_manuscript',
      'changed_meanwhile',
      'file_in_use',
      'no_inputs',
      'run_active',
      ...budgetProblems,
    ],
  },
});
