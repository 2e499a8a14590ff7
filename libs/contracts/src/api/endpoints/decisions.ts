import { z } from 'zod';
import { pageOf, pageQuery } from '../paging.js';
import * as schemas from '../schemas.js';
import { defineEndpoints } from './endpoint.js';

/** Operations with the tag `decisions`. */
export const decisionsEndpoints = defineEndpoints({
  giveEarlyAnswer: {
    method: 'POST',
    path: '/api/agents/runs/:run_id/answers',
    summary:
      'Answer a question of a run before it is asked; it is put to the first question that it is for. The same one again is fine',
    tag: 'decisions',
    body: schemas.newEarlyAnswerSchema,
    status: 200,
    response: schemas.earlyAnswerSchema,
    errors: [
      'malformed_json',
      'invalid_request',
      'not_found',
      'not_assignee',
      'decision_answered',
      'run_finished',
    ],
  },
  listEarlyAnswers: {
    method: 'GET',
    path: '/api/agents/runs/:run_id/answers',
    summary: 'List the answers of a run that came before their questions, oldest first',
    tag: 'decisions',
    query: pageQuery,
    status: 200,
    response: pageOf(schemas.earlyAnswerSchema),
    errors: ['not_found', 'invalid_request'],
  },
  listDecisions: {
    method: 'GET',
    path: '/api/decisions',
    summary: 'List decisions, oldest first',
    tag: 'decisions',
    query: pageQuery.extend({
      status: z.enum(['open', 'answered', 'all']).default('open'),
      run_id: z.string().optional(),
      assignee: z.string().max(100).optional().meta({ description: 'id or name of an API key' }),
    }),
    status: 200,
    response: pageOf(schemas.decisionSchema),
    errors: ['invalid_request'],
  },
  getDecision: {
    method: 'GET',
    path: '/api/decisions/:decision_id',
    summary: 'Read a decision with the schema of its answer',
    tag: 'decisions',
    status: 200,
    response: schemas.decisionSchema,
    errors: ['not_found'],
  },
  answerDecision: {
    method: 'POST',
    path: '/api/decisions/:decision_id/answer',
    summary:
      'Answer a decision, as JSON or as multipart with a part per reference: a file, "skip" or "use:NAME". The first answer wins; the same one again is fine. With a quorum it is a vote, which may be changed until so many keys agree',
    tag: 'decisions',
    body: z.record(z.string(), z.unknown()).meta({ id: 'DecisionAnswer' }),
    multipart: 'also',
    status: 200,
    response: schemas.decisionSchema,
    errors: [
      'malformed_json',
      'not_found',
      'not_assignee',
      'invalid_answer',
      'decision_answered',
      'decision_stale',
      'file_too_large',
      'storage_quota_exceeded',
      'malformed_multipart',
      'empty_upload',
      'invalid_file_name',
      'unsupported_media_type',
    ],
  },
});
