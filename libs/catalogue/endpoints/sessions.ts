import { pageOf, pageQuery, titlePart } from '#contracts/api/paging.js';
import * as schemas from '#contracts/api/schemas.js';
import { encodingField, lineRangeQuery, textLinesSchema, uploadOf } from '#contracts/api/schemas.js';
import { defineEndpoints, inputProblems } from '#contracts/api/endpoints/endpoint.js';
import { z } from 'zod';

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
      kind: z.string().max(100).optional().describe('Only sessions in which a run of this kind was started'),
      title: titlePart,
    }),
    response: pageOf(schemas.listedSessionSchema),
  },
  listWork: {
    method: 'GET',
    path: '/api/work',
    summary: 'List documents, books, articles and plans with their newest state, newest change first',
    query: pageQuery.extend({
      kind: z.string().max(100).optional().describe('Only works whose newest run is of this kind'),
      title: titlePart,
      manuscript: z
        .string()
        .regex(/^[0-9a-f]{64}$/)
        .optional()
        .describe(
          'Only works with a Word file of the manuscript with this SHA-256, which its property `Manuscript` begins with',
        ),
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

/** Operations with the tag `inputs`. */
export const inputsEndpoints = defineEndpoints('inputs', {
  uploadInputs: {
    method: 'POST',
    path: '/api/sessions/:session_id/inputs',
    summary:
      'Upload input files: all of them or, after an error, none; empty files and duplicates are skipped and listed',
    query: z.object({ encoding: encodingField }),
    multipart: 'only',
    status: 201,
    response: uploadOf(schemas.fileSchema),
    errors: [...inputProblems, 'file_exists'],
  },
  listInputs: {
    method: 'GET',
    path: '/api/sessions/:session_id/inputs',
    summary: 'List all input files in processing order (their number is limited)',
    response: schemas.listOf(schemas.fileSchema),
  },
  orderInputs: {
    method: 'POST',
    path: '/api/sessions/:session_id/inputs/order',
    summary: 'Set the processing order of the input files; an empty list restores the natural order',
    body: schemas.inputOrderSchema,
    response: schemas.listOf(schemas.fileSchema),
    errors: ['file_in_use'],
  },
  getInputLines: {
    method: 'GET',
    path: '/api/sessions/:session_id/inputs/:name/lines',
    summary:
      'Read lines of an input, numbered as in the ledger: of its text, or of the text extracted from it',
    query: lineRangeQuery,
    response: textLinesSchema,
  },
  deleteInput: {
    method: 'DELETE',
    path: '/api/sessions/:session_id/inputs/:name',
    summary: 'Delete an input file',
    errors: ['file_in_use'],
  },
  listAssets: {
    method: 'GET',
    path: '/api/sessions/:session_id/assets',
    summary: 'List all assets: images and files that the manuscript references',
    response: schemas.listOf(schemas.fileSchema),
  },
  getImage: {
    method: 'GET',
    path: '/api/sessions/:session_id/images/:name',
    summary: 'Download the image that a reference in the manuscript names, as the Word file shows it',
    media: 'application/octet-stream',
    untagged: true,
  },
});
