import { fingerprintSchema } from '../../style.js';
import * as corpus from '../corpus-schemas.js';
import { pageOf } from '../paging.js';
import { uploadOf } from '../upload-schemas.js';
import { defineEndpoints } from './endpoint.js';

/** Operations with the tag `corpus`. */
export const corpusEndpoints = defineEndpoints({
  ingestCorpus: {
    method: 'POST',
    path: '/api/corpus/ingest',
    summary: 'Add texts (JSON) or files (multipart) to the style corpus, which is made on first use',
    tag: 'corpus',
    query: corpus.corpusUploadQuery,
    body: corpus.corpusIngestSchema,
    multipart: 'also',
    status: 202,
    response: uploadOf(corpus.addedCorpusTextSchema),
    errors: [
      'malformed_json',
      'invalid_request',
      'too_many_collections',
      'malformed_multipart',
      'empty_upload',
      'invalid_file_name',
      'file_too_large',
      'storage_quota_exceeded',
      'not_text',
      'not_utf8',
      'source_unreadable',
    ],
  },
  listCorpusTexts: {
    method: 'GET',
    path: '/api/corpus/texts',
    summary: 'List the texts of the style corpora, newest first',
    tag: 'corpus',
    query: corpus.corpusTextsQuery,
    status: 200,
    response: pageOf(corpus.corpusTextSchema),
    errors: ['invalid_request'],
  },
  getFingerprint: {
    method: 'GET',
    path: '/api/corpus/fingerprint',
    summary: 'How the style corpora are written, in figures and habits that a person can read',
    tag: 'corpus',
    query: corpus.fingerprintQuery,
    status: 200,
    response: fingerprintSchema,
    errors: ['invalid_request', 'corpus_empty'],
  },
  compareWithCorpus: {
    method: 'POST',
    path: '/api/corpus/compare',
    summary:
      'Where a text deviates from the style corpora, by how much, and the text with what is safe corrected',
    tag: 'corpus',
    scope: 'read',
    body: corpus.compareSchema,
    status: 200,
    response: corpus.comparedSchema,
    errors: ['malformed_json', 'invalid_request', 'corpus_empty'],
  },
});
