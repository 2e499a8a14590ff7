import { z } from 'zod';
import { pageOf, pageQuery, titlePart } from '#contracts/api/paging.js';
import * as schemas from '#contracts/api/schemas.js';
import { defineEndpoints } from '#contracts/api/endpoints/endpoint.js';

/** Operations with the tag `sessions`. */
export const sessionsEndpoints = defineEndpoints('sessions', {
  createSession: {
    method: 'POST',
    path: '/api/sessions',
    summary: 'Create a session',
    body: schemas.newSessionSchema,
    status: 201,
    response: schemas.sessionSchema,
  },
  listSessions: {
    method: 'GET',
    path: '/api/sessions',
    summary: 'List sessions, newest first',
    query: pageQuery.extend({
      kind: z
        .string()
        .max(100)
        .optional()
        .meta({ description: 'Only sessions in which a run of this kind was started' }),
      title: titlePart,
    }),
    response: pageOf(schemas.listedSessionSchema),
  },
  listWork: {
    method: 'GET',
    path: '/api/work',
    summary: 'List documents, books, articles and plans with their newest state, newest change first',
    query: pageQuery.extend({
      kind: z
        .string()
        .max(100)
        .optional()
        .meta({ description: 'Only works whose newest run is of this kind' }),
      title: titlePart,
    }),
    response: pageOf(schemas.workSchema),
  },
  getSession: {
    method: 'GET',
    path: '/api/sessions/:session_id',
    summary: 'Read a session',
    response: schemas.sessionSchema,
  },
  changeSession: {
    method: 'PATCH',
    path: '/api/sessions/:session_id',
    summary: 'Rename a session',
    body: schemas.sessionChangesSchema,
    response: schemas.sessionSchema,
  },
  deleteSession: {
    method: 'DELETE',
    path: '/api/sessions/:session_id',
    summary: 'Delete a session with all its files, runs and results',
    errors: ['run_active'],
  },
});
