import * as usage from '../usage-schemas.js';
import { defineEndpoints } from './endpoint.js';

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
