import { z } from 'zod';
import { findingChangesSchema } from '#contracts/findings.js';
import { pageOf, pageQuery } from '#contracts/api/paging.js';
import * as schemas from '../run-schemas.js';
import { defineEndpoints, uploadProblems } from '#contracts/api/endpoints/endpoint.js';

/** Operations with the tag `decisions`. */
export const decisionsEndpoints = defineEndpoints('decisions', {
  giveEarlyAnswer: {
    method: 'POST',
    path: '/api/agents/runs/:run_id/answers',
    summary:
      'Answer a question of a run in advance; the answer applies to the first question that it matches. Repeating it has no effect',
    body: schemas.newEarlyAnswerSchema,
    response: schemas.earlyAnswerSchema,
    errors: ['not_assignee', 'decision_answered', 'run_finished'],
  },
  listEarlyAnswers: {
    method: 'GET',
    path: '/api/agents/runs/:run_id/answers',
    summary: 'List the answers that a run received in advance, oldest first',
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
      assignee: z.string().max(100).optional().meta({ description: 'ID or name of an API key' }),
    }),
    response: pageOf(schemas.decisionSchema),
  },
  getDecision: {
    method: 'GET',
    path: '/api/decisions/:decision_id',
    summary: 'Read a decision with the schema of its answer',
    response: schemas.decisionSchema,
  },
  changeDecisionFinding: {
    method: 'PATCH',
    path: '/api/decisions/:decision_id/findings/:finding_id',
    summary:
      'Say that a finding in the details of an open decision is wrong, or take that back; later texts of the session show it as overruled until its sentence changes',
    body: findingChangesSchema,
    response: schemas.decisionSchema,
    errors: ['not_assignee', 'decision_stale'],
  },
  answerDecision: {
    method: 'POST',
    path: '/api/decisions/:decision_id/answer',
    summary:
      'Answer a decision, as JSON or as multipart with a part per reference: a file, "skip" or "use:NAME". The first answer wins; repeating it has no effect. With a quorum, the answer is a vote, which can be changed until enough keys agree',
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
