import { z } from 'zod';
import { runStatusSchema } from '../../runs.js';
import { pageOf, pageQuery } from '../paging.js';
import * as schemas from '../schemas.js';
import { defineEndpoints } from './endpoint.js';

/** The number of an event in its run, as PostgreSQL counts them. */
export const eventPosition = z.coerce.number().int().min(0).max(2_147_483_647);

/** Operations with the tag `runs`. */
export const runsEndpoints = defineEndpoints({
  startRun: {
    method: 'POST',
    path: '/api/agents/runs',
    summary: 'Start a run; with sync=1 the answer comes when it has ended or waits for a person',
    tag: 'runs',
    query: z.object({ sync: z.enum(['0', '1']).default('0') }),
    body: schemas.newRunSchema,
    status: 202,
    response: schemas.runSchema,
    errors: [
      'malformed_json',
      'invalid_request',
      'not_found',
      'no_inputs',
      'no_corpus',
      'run_active',
      'token_quota_exceeded',
      'cost_quota_exceeded',
      'model_price_unknown',
    ],
  },
  listRuns: {
    method: 'GET',
    path: '/api/agents/runs',
    summary: 'List runs, newest first',
    tag: 'runs',
    query: pageQuery.extend({
      session_id: z.string().optional(),
      status: runStatusSchema.optional(),
      kind: z.string().max(100).optional(),
    }),
    status: 200,
    response: pageOf(schemas.runSchema),
    errors: ['invalid_request'],
  },
  getRun: {
    method: 'GET',
    path: '/api/agents/runs/:run_id',
    summary: 'Read a run',
    tag: 'runs',
    status: 200,
    response: schemas.runSchema,
    errors: ['not_found'],
  },
  followRun: {
    method: 'GET',
    path: '/api/agents/runs/:run_id/events',
    summary: 'Follow a run by server-sent events; Last-Event-ID goes on where a stream broke off',
    tag: 'runs',
    query: z.object({ after: eventPosition.default(0) }),
    status: 200,
    media: 'text/event-stream',
    untagged: true,
    errors: ['not_found', 'invalid_request'],
  },
  cancelRun: {
    method: 'POST',
    path: '/api/agents/runs/:run_id/cancel',
    summary: 'Cancel a run',
    tag: 'runs',
    status: 200,
    response: schemas.runSchema,
    errors: ['not_found', 'run_finished'],
  },
});
