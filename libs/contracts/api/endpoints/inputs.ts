import { z } from 'zod';
import * as schemas from '../schemas.js';
import { uploadOf } from '../upload-schemas.js';
import { lineRangeQuery, textLinesSchema } from '../line-schemas.js';
import { defineEndpoints, uploadProblems } from './endpoint.js';

/** Operations with the tag `inputs`. */
export const inputsEndpoints = defineEndpoints('inputs', {
  uploadInputs: {
    method: 'POST',
    path: '/api/sessions/:session_id/inputs',
    summary:
      'Upload input files: all of them or, after an error, none; empty ones and duplicates are left out and named',
    query: z.object({
      encoding: z.string().max(1000).optional().meta({
        description:
          'the encoding of text files that are neither UTF-8 nor begin with a byte order mark, such as windows-1250: they are converted; or one for each pattern of names: *.csv=iso-8859-2,*.txt=windows-1250. What no pattern fits is kept, and the run asks about it',
      }),
    }),
    multipart: 'only',
    status: 201,
    response: uploadOf(schemas.fileSchema),
    errors: [
      ...uploadProblems,
      'too_many_files',
      'storage_quota_exceeded',
      'not_text',
      'not_utf8',
      'file_exists',
    ],
  },
  listInputs: {
    method: 'GET',
    path: '/api/sessions/:session_id/inputs',
    summary: 'List all input files in processing order (a session holds a bounded number)',
    response: schemas.listOf(schemas.fileSchema),
  },
  getInputLines: {
    method: 'GET',
    path: '/api/sessions/:session_id/inputs/:name/lines',
    summary:
      'Read some lines of an input as the ledger counts them: of its text, or of what was extracted from it',
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
    summary: 'List all assets: images and files that the manuscript refers to',
    response: schemas.listOf(schemas.fileSchema),
  },
});
