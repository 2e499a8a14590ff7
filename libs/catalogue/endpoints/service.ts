import * as schemas from '#contracts/api/schemas.js';
import { defineEndpoints } from '#contracts/api/endpoints/endpoint.js';

/** Operations with the tag `service`. */
export const serviceEndpoints = defineEndpoints('service', {
  health: {
    method: 'GET',
    path: '/api/health',
    summary: 'Check whether the service and its dependencies are reachable',
    open: true,
    alsoStatus: [503],
    response: schemas.healthSchema,
  },
  live: {
    method: 'GET',
    path: '/api/health/live',
    summary: 'Check whether this process responds, regardless of its dependencies',
    open: true,
    response: schemas.livenessSchema,
  },
  ready: {
    method: 'GET',
    path: '/api/health/ready',
    summary:
      'Check whether this process can serve requests, with the state of each dependency (503 if it cannot)',
    open: true,
    alsoStatus: [503],
    response: schemas.readinessSchema,
  },
});
