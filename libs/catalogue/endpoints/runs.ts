import { z } from 'zod';
import { runStatusSchema } from '#contracts/runs.js';
import { pageOf, pageQuery, titlePart } from '#contracts/api/paging.js';
import * as schemas from '#contracts/api/schemas.js';
import * as runs from '../run-schemas.js';
import { budgetProblems, defineEndpoints, uploadProblems } from '#contracts/api/endpoints/endpoint.js';
import * as usage from '#contracts/api/operations-schemas.js';
import * as history from '#contracts/api/history-schemas.js';
import { decisionLinkSchema } from '#contracts/api/link-schemas.js';
import { findingChangesSchema } from '#contracts/findings.js';

/** Operations with the tag `decisions`. */
export const decisionsEndpoints = defineEndpoints('decisions', {
  giveEarlyAnswer: {
    method: 'POST',
    path: '/api/agents/runs/:run_id/answers',
    summary:
      'Answer a question of a run in advance; the answer applies to the first question that it matches. Repeating it has no effect',
    body: runs.newEarlyAnswerSchema,
    response: runs.earlyAnswerSchema,
    errors: ['not_assignee', 'decision_answered', 'run_finished'],
  },
  listEarlyAnswers: {
    method: 'GET',
    path: '/api/agents/runs/:run_id/answers',
    summary: 'List the answers that a run received in advance, oldest first',
    query: pageQuery,
    response: pageOf(runs.earlyAnswerSchema),
  },
  listDecisions: {
    method: 'GET',
    path: '/api/decisions',
    summary: 'List decisions, oldest first',
    query: pageQuery.extend({
      status: z.enum(['open', 'answered', 'all']).default('open'),
      run_id: z.string().optional(),
      assignee: z.string().max(100).optional().describe('ID or name of an API key'),
    }),
    response: pageOf(runs.decisionSchema),
  },
  getDecision: {
    method: 'GET',
    path: '/api/decisions/:decision_id',
    summary: 'Read a decision with the schema of its answer',
    response: runs.decisionSchema,
  },
  changeDecisionFinding: {
    method: 'PATCH',
    path: '/api/decisions/:decision_id/findings/:finding_id',
    summary:
      'Say that a finding in the details of an open decision is wrong, or take that back; later texts of the session show it as overruled until its sentence changes',
    body: findingChangesSchema,
    response: runs.decisionSchema,
    errors: ['not_assignee', 'decision_stale'],
  },
  answerDecision: {
    method: 'POST',
    path: '/api/decisions/:decision_id/answer',
    summary:
      'Answer a decision, as JSON or as multipart with a part per reference: a file, "skip" or "use:NAME". The first answer wins; repeating it has no effect. With a quorum, the answer is a vote, which can be changed until enough keys agree',
    body: z.record(z.string(), z.unknown()).meta({ id: 'DecisionAnswer' }),
    multipart: 'also',
    response: runs.decisionSchema,
    errors: [
      'not_assignee',
      'invalid_answer',
      'decision_answered',
      'decision_stale',
      ...uploadProblems,
      'storage_quota_exceeded',
    ],
  },
  createDecisionLink: {
    method: 'POST',
    path: '/api/decisions/:decision_id/links',
    summary:
      'Create a link by which anyone can answer an open decision once, until its deadline; it ends earlier with its API key',
    status: 201,
    response: decisionLinkSchema,
    shownOnce: 'path',
    errors: ['not_assignee', 'decision_stale', 'too_many_links'],
  },
});

/** Operations with the tag `history`. */
export const historyEndpoints = defineEndpoints('history', {
  runHistory: {
    method: 'GET',
    path: '/api/agents/runs/:run_id/history',
    summary: 'List the graph checkpoints of a run, newest first',
    query: pageQuery,
    response: history.historySchema,
  },
  runStep: {
    method: 'GET',
    path: '/api/agents/runs/:run_id/steps/:step_id',
    summary: 'Read the input and output of a step, by the ID of the graph checkpoint that it saved',
    response: history.runStepSchema,
  },
  restoreSession: {
    method: 'POST',
    path: '/api/sessions/:session_id/restore',
    summary: 'Restore the session to a checkpoint of one of its runs, as a new run',
    body: history.restoreRequestSchema,
    status: 202,
    response: schemas.runSchema,
    errors: ['run_active', 'checkpoint_unusable', ...budgetProblems],
  },
  forkSession: {
    method: 'POST',
    path: '/api/sessions/:session_id/fork',
    summary: 'Fork the session: copy its state at a checkpoint, and continue from there in the copy',
    body: history.forkRequestSchema,
    status: 201,
    response: history.forkSchema,
    errors: ['checkpoint_unusable', 'storage_quota_exceeded', ...budgetProblems],
  },
  promoteFork: {
    method: 'POST',
    path: '/api/sessions/:session_id/promote',
    summary: 'Promote a fork: take over its state as a new run; repeating it has no effect',
    body: history.promoteRequestSchema,
    response: schemas.runSchema,
    errors: ['not_a_fork', 'run_active', 'checkpoint_unusable', 'storage_quota_exceeded', ...budgetProblems],
  },
  diffManuscripts: {
    method: 'GET',
    path: '/api/sessions/:session_id/diff',
    summary: 'Compare two manuscripts line by line (JSON; unified text with Accept: text/x-diff)',
    query: history.diffQuery,
    response: history.diffSchema,
    media: 'text/x-diff',
    errors: ['no_manuscript', 'diff_too_large'],
  },
});

/** Number of an event in its run: a PostgreSQL integer. */
export const eventPosition = z.coerce.number().int().min(0).max(2_147_483_647);

/** Operations with the tag `runs`. */
export const runsEndpoints = defineEndpoints('runs', {
  startRun: {
    method: 'POST',
    path: '/api/agents/runs',
    summary: 'Start a run; with sync=1, the response is sent when the run ends or waits for a person',
    query: z.object({ sync: z.enum(['0', '1']).default('0') }),
    body: runs.newRunSchema,
    status: 202,
    response: schemas.runSchema,
    errors: [
      'not_found',
      'no_inputs',
      'no_corpus',
      'needs_model',
      'run_active',
      'changes_would_be_lost',
      ...budgetProblems,
    ],
  },
  listRuns: {
    method: 'GET',
    path: '/api/agents/runs',
    summary: 'List runs, newest first',
    query: pageQuery.extend({
      session_id: z.string().optional(),
      status: runStatusSchema.optional(),
      kind: z.string().max(100).optional(),
      mode: z.string().max(100).optional(),
      title: titlePart,
    }),
    response: pageOf(schemas.runSchema),
  },
  getRun: {
    method: 'GET',
    path: '/api/agents/runs/:run_id',
    summary: 'Read a run',
    response: schemas.runSchema,
  },
  followRun: {
    method: 'GET',
    path: '/api/agents/runs/:run_id/events',
    summary: 'Follow a run by server-sent events; Last-Event-ID resumes an interrupted stream',
    query: z.object({
      after: eventPosition.default(0),
      past_end: z.enum(['0', '1']).default('0').meta({
        description: '1 keeps the stream open after `done`, for decisions about proposals of the run',
      }),
    }),
    media: 'text/event-stream',
    untagged: true,
  },
  cancelRun: {
    method: 'POST',
    path: '/api/agents/runs/:run_id/cancel',
    summary: 'Cancel a run',
    response: schemas.runSchema,
    errors: ['run_finished'],
  },
  listModelCalls: {
    method: 'GET',
    path: '/api/agents/runs/:run_id/model-calls',
    summary: 'List the model calls of a run with tokens and cost, oldest first',
    query: pageQuery,
    response: pageOf(usage.modelCallSchema),
  },
});

/** Operations about the tenant's usage, with the tag `access`. */
export const usageEndpoints = defineEndpoints('access', {
  getUsage: {
    method: 'GET',
    path: '/api/usage',
    summary: 'Read the usage of the tenant per day, with its limits',
    query: usage.ownUsageQuery,
    response: usage.ownUsageSchema,
  },
});
