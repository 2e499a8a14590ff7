import { z } from 'zod';
import { pageOf, pageQuery } from '../paging.js';
import * as schemas from '../schemas.js';
import { defineEndpoints, uploadProblems } from './endpoint.js';

/** Operations with the tag `decisions`. */
export const decisionsEndpoints = defineEndpoints('decisions', {
  giveEarlyAnswer: {
    method: 'POST',
    path: '/api/agents/runs/:run_id/answers',
    summary:
      'Answer a question of a run before it is asked; it is put to the first question that it is for. The same one again is fine',
    body: schemas.newEarlyAnswerSchema,
    response: schemas.earlyAnswerSchema,
    errors: ['not_assignee', 'decision_answered', 'run_finished'],
  },
  listEarlyAnswers: {
    method: 'GET',
    path: '/api/agents/runs/:run_id/answers',
    summary: 'List the answers of a run that came before their questions, oldest first',
    query: pageQuery,
    response: pageOf(schemas.earlyAnswerSchema),
  },
  listDecisions: {
    method: 'GET',
    path: '/api/decisions',
    summary: 'List decisions, oldest first',
    query: pageQuery.extend({
      status: z.enum(['open', 'answered', 'all']).default('open'),
      run_id: z.string().optional(),
      assignee: z.string().max(100).optional().meta({ description: 'id or name of an API key' }),
    }),
    response: pageOf(schemas.decisionSchema),
  },
  getDecision: {
    method: 'GET',
    path: '/api/decisions/:decision_id',
    summary: 'Read a decision with the schema of its answer',
    response: schemas.decisionSchema,
  },
  answerDecision: {
    method: 'POST',
    path: '/api/decisions/:decision_id/answer',
    summary:
      'Answer a decision, as JSON or as multipart with a part per reference: a file, "skip" or "use:NAME". The first answer wins; the same one again is fine. With a quorum it is a vote, which may be changed until so many keys agree',
    body: z.record(z.string(), z.unknown()).meta({ id: 'DecisionAnswer' }),
    multipart: 'also',
    response: schemas.decisionSchema,
    errors: [
      'not_assignee',
      'invalid_answer',
      'decision_answered',
      'decision_stale',
      ...uploadProblems,
      'storage_quota_exceeded',
    ],
  },
});
