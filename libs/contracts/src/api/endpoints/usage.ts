import { pageOf, pageQuery } from '../paging.js';
import * as usage from '../usage-schemas.js';
import { defineEndpoints } from './endpoint.js';

/** What runs and tenants used; tags `runs` and `access`. */
export const usageEndpoints = defineEndpoints({
  listModelCalls: {
    method: 'GET',
    path: '/api/agents/runs/:run_id/model-calls',
    summary: 'List the model calls of a run with their tokens and cost, oldest first',
    tag: 'runs',
    query: pageQuery,
    status: 200,
    response: pageOf(usage.modelCallSchema),
    errors: ['not_found', 'invalid_request'],
  },
  getUsage: {
    method: 'GET',
    path: '/api/usage',
    summary: 'Read what the tenant used by day, beside its limits',
    tag: 'access',
    query: usage.ownUsageQuery,
    status: 200,
    response: usage.ownUsageSchema,
    errors: ['invalid_request'],
  },
});
