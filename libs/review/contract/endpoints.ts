import { budgetProblems, defineEndpoints, uploadProblems } from '#contracts/api/endpoints/endpoint.js';
import { pageOf, pageQuery } from '#contracts/api/paging.js';
import { runSchema } from '#contracts/api/schemas.js';
import {
  commentChangesSchema,
  commentSchema,
  commentsQuery,
  newCommentSchema,
  proposalCountsSchema,
  proposalDecisionSchema,
  proposalSchema,
  proposalsQuery,
} from './schemas.js';

const PROPOSALS = '/api/sessions/:session_id/proposals';
const COMMENTS = '/api/sessions/:session_id/comments';
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
  listSessionProposals: {
    method: 'GET',
    path: PROPOSALS,
    summary: 'List what reviewers, style rules and models propose in the texts of a session, by run',
    query: proposalsQuery,
    response: pageOf(proposalSchema),
  },
  decideSessionProposals: {
    method: 'POST',
    path: `${PROPOSALS}/:run_id/decisions`,
    summary: 'Accept or reject proposals of a run, or open them again, until they are applied',
    body: proposalDecisionSchema,
    response: proposalCountsSchema,
    errors: ['decision_answered'],
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
      'Make versions of the changed texts with the accepted proposals, the rest byte-identical, and a new Word file',
    status: 202,
    response: runSchema,
    errors: [
      'no_manuscript',
      'chapter_empty',
      'changed_meanwhile',
      'file_in_use',
      'no_inputs',
      'run_active',
      ...budgetProblems,
    ],
  },
  createComment: {
    method: 'POST',
    path: COMMENTS,
    summary: 'Say something about words of a document, a chapter or an article, or reply to a comment',
    body: newCommentSchema,
    status: 201,
    response: commentSchema,
  },
  listComments: {
    method: 'GET',
    path: COMMENTS,
    summary: 'List the comments and replies about the texts of a session, newest first',
    query: commentsQuery,
    response: pageOf(commentSchema),
  },
  changeComment: {
    method: 'PATCH',
    path: `${COMMENTS}/:comment_id`,
    summary: 'Resolve a thread of comments, or open it again',
    body: commentChangesSchema,
    response: commentSchema,
  },
  deleteComment: {
    method: 'DELETE',
    path: `${COMMENTS}/:comment_id`,
    summary: 'Delete a comment with the replies to it',
  },
});
