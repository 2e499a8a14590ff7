import { z } from 'zod';
import { pageOf, pageQuery } from '../paging.js';
import * as schemas from '../schemas.js';
import { defineEndpoints } from './endpoint.js';

/** Operations with the tag `sessions`. */
export const sessionsEndpoints = defineEndpoints({
  createSession: {
    method: 'POST',
    path: '/api/sessions',
    summary: 'Make a session',
    tag: 'sessions',
    body: schemas.newSessionSchema,
    status: 201,
    response: schemas.sessionSchema,
    errors: ['malformed_json', 'invalid_request'],
  },
  listSessions: {
    method: 'GET',
    path: '/api/sessions',
    summary: 'List sessions, newest first',
    tag: 'sessions',
    query: pageQuery.extend({
      kind: z
        .string()
        .max(100)
        .optional()
        .meta({ description: 'Only sessions in which a run of this kind was started' }),
    }),
    status: 200,
    response: pageOf(schemas.sessionSchema),
    errors: ['invalid_request'],
  },
  getSession: {
    method: 'GET',
    path: '/api/sessions/:session_id',
    summary: 'Read a session',
    tag: 'sessions',
    status: 200,
    response: schemas.sessionSchema,
    errors: ['not_found'],
  },
  deleteSession: {
    method: 'DELETE',
    path: '/api/sessions/:session_id',
    summary: 'Delete a session with all its files, runs and results',
    tag: 'sessions',
    status: 204,
    errors: ['not_found', 'run_active'],
  },
});
