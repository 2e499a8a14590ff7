import { z } from 'zod';
import { pageOf, pageQuery } from '../paging.js';
import * as schemas from '../schemas.js';
import { lineRangeQuery, textLinesSchema } from '../line-schemas.js';
import { defineEndpoints } from './endpoint.js';

const encodedExportSchema = z
  .object({
    filename: z.string(),
    media_type: z.string(),
    size: z.number().int().meta({ description: 'bytes' }),
    sha256: z.string(),
    content_base64: z.string(),
  })
  .meta({ id: 'EncodedExport' });

/** Operations with the tag `results`. */
export const resultsEndpoints = defineEndpoints({
  getManuscript: {
    method: 'GET',
    path: '/api/sessions/:session_id/manuscript',
    summary: 'Read the manuscript (temp_output.md) as it stands',
    tag: 'results',
    status: 200,
    media: 'text/markdown',
    errors: ['not_found', 'no_manuscript'],
  },
  getManuscriptLines: {
    method: 'GET',
    path: '/api/sessions/:session_id/manuscript/lines',
    summary: 'Read some lines of the manuscript as it stands',
    tag: 'results',
    query: lineRangeQuery,
    status: 200,
    response: textLinesSchema,
    errors: ['not_found', 'invalid_request', 'no_manuscript'],
  },
  getLedger: {
    method: 'GET',
    path: '/api/sessions/:session_id/ledger',
    summary: 'Read the verbatim ledger of the last validation (JSON; HTML with format=html)',
    tag: 'results',
    query: z.object({ format: z.enum(['json', 'html']).default('json') }),
    status: 200,
    response: schemas.ledgerSchema,
    media: 'text/html',
    untagged: true,
    errors: ['not_found', 'no_manuscript', 'invalid_request'],
  },
  listResults: {
    method: 'GET',
    path: '/api/sessions/:session_id/results',
    summary: 'List what the runs of a session have made by now, by kind and name',
    tag: 'results',
    status: 200,
    response: schemas.listOf(schemas.resultSchema),
    errors: ['not_found'],
  },
  downloadResult: {
    method: 'GET',
    path: '/api/sessions/:session_id/results/:kind/:result_name',
    summary: 'Download a result as it is now',
    tag: 'results',
    status: 200,
    media: 'application/octet-stream',
    untagged: true,
    errors: ['not_found'],
  },
  listCheckpoints: {
    method: 'GET',
    path: '/api/sessions/:session_id/checkpoints',
    summary: 'List named checkpoints, oldest first',
    tag: 'results',
    query: pageQuery,
    status: 200,
    response: pageOf(schemas.checkpointSchema),
    errors: ['not_found', 'invalid_request'],
  },
  getCheckpoint: {
    method: 'GET',
    path: '/api/sessions/:session_id/checkpoints/:checkpoint_id',
    summary: 'Download the manuscript as it stood at a checkpoint',
    tag: 'results',
    status: 200,
    media: 'text/markdown',
    untagged: true,
    errors: ['not_found'],
  },
  restoreCheckpoint: {
    method: 'POST',
    path: '/api/sessions/:session_id/checkpoints/:checkpoint_id/restore',
    summary: 'Put the manuscript back to a checkpoint',
    tag: 'results',
    status: 200,
    response: schemas.checkpointSchema,
    errors: ['not_found', 'file_in_use'],
  },
  listExports: {
    method: 'GET',
    path: '/api/sessions/:session_id/exports',
    summary: 'List results, newest first',
    tag: 'results',
    query: pageQuery,
    status: 200,
    response: pageOf(schemas.exportSchema),
    errors: ['not_found', 'invalid_request'],
  },
  downloadExport: {
    method: 'GET',
    path: '/api/sessions/:session_id/exports/:export_id',
    summary: 'Download a result',
    tag: 'results',
    status: 200,
    media: [
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      'application/pdf',
      'application/octet-stream',
    ],
    errors: ['not_found'],
  },
  exportAsBase64: {
    method: 'GET',
    path: '/api/sessions/:session_id/exports/:export_id/base64',
    summary: 'A result of at most 32 MB inside JSON, for clients that take no files',
    tag: 'results',
    status: 200,
    response: encodedExportSchema,
    errors: ['not_found', 'file_too_large'],
  },
});
