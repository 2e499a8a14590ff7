import { z } from 'zod';
import * as schemas from '#contracts/api/schemas.js';
import { uploadOf, lineRangeQuery, textLinesSchema } from '#contracts/api/schemas.js';
import { defineEndpoints, uploadProblems } from '#contracts/api/endpoints/endpoint.js';

/** Operations with the tag `inputs`. */
export const inputsEndpoints = defineEndpoints('inputs', {
  uploadInputs: {
    method: 'POST',
    path: '/api/sessions/:session_id/inputs',
    summary:
      'Upload input files: all of them or, after an error, none; empty files and duplicates are skipped and listed',
    query: z.object({
      encoding: z.string().max(1000).optional().meta({
        description:
          'encoding, such as windows-1250, of text files that are neither UTF-8 nor start with a byte order mark; they are converted. Or an encoding per name pattern: *.csv=iso-8859-2,*.txt=windows-1250. Files that match no pattern are stored unchanged, and the run asks about them',
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
