import * as schemas from '../schemas.js';
import { defineEndpoints } from './endpoint.js';

/** Operations with the tag `service`. */
export const serviceEndpoints = defineEndpoints('service', {
  health: {
    method: 'GET',
    path: '/api/health',
    summary: 'Whether the service and what it stands on can be reached',
    open: true,
    alsoStatus: [503],
    response: schemas.healthSchema,
  },
  live: {
    method: 'GET',
    path: '/api/health/live',
    summary: 'Whether this process answers at all; what it stands on is not looked at',
    open: true,
    response: schemas.livenessSchema,
  },
  ready: {
    method: 'GET',
    path: '/api/health/ready',
    summary: 'Whether this process can serve requests, and the state of each dependency (503 when it cannot)',
    open: true,
    alsoStatus: [503],
    response: schemas.readinessSchema,
  },
});
