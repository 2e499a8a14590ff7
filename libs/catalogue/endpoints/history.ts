import * as history from '#contracts/api/history-schemas.js';
import { pageQuery } from '#contracts/api/paging.js';
import * as schemas from '#contracts/api/schemas.js';
import { budgetProblems, defineEndpoints } from '#contracts/api/endpoints/endpoint.js';

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
