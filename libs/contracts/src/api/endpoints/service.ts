import * as schemas from '../schemas.js';
import { defineEndpoints } from './endpoint.js';

/** Operations with the tag `service`. */
export const serviceEndpoints = defineEndpoints({
  health: {
    method: 'GET',
    path: '/api/health',
    summary: 'Whether the service and what it stands on can be reached',
    tag: 'service',
    open: true,
    status: 200,
    alsoStatus: [503],
    response: schemas.healthSchema,
    errors: [],
  },
  live: {
    method: 'GET',
    path: '/api/health/live',
    summary: 'Whether this process answers at all; what it stands on is not looked at',
    tag: 'service',
    open: true,
    status: 200,
    response: schemas.livenessSchema,
    errors: [],
  },
  ready: {
    method: 'GET',
    path: '/api/health/ready',
    summary: 'Whether this process can serve requests, and the state of each dependency (503 when it cannot)',
    tag: 'service',
    open: true,
    status: 200,
    alsoStatus: [503],
    response: schemas.readinessSchema,
    errors: [],
  },
});
