import { z } from 'zod';
import { runStatusSchema } from '#contracts/runs.js';
import { pageOf, pageQuery, titlePart } from '#contracts/api/paging.js';
import * as schemas from '#contracts/api/schemas.js';
import { newRunSchema } from '../run-schemas.js';
import { modelCallSchema } from '#contracts/api/operations-schemas.js';
import { budgetProblems, defineEndpoints } from '#contracts/api/endpoints/endpoint.js';
import * as usage from '#contracts/api/operations-schemas.js';

/** Number of an event in its run: a PostgreSQL integer. */
export const eventPosition = z.coerce.number().int().min(0).max(2_147_483_647);

/** Operations with the tag `runs`. */
export const runsEndpoints = defineEndpoints('runs', {
  startRun: {
    method: 'POST',
    path: '/api/agents/runs',
    summary: 'Start a run; with sync=1, the response is sent when the run ends or waits for a person',
    query: z.object({ sync: z.enum(['0', '1']).default('0') }),
    body: newRunSchema,
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
    query: z.object({ after: eventPosition.default(0) }),
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
    response: pageOf(modelCallSchema),
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
