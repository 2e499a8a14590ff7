import { fingerprintSchema } from '#contracts/style.js';
import * as corpus from './corpus-schemas.js';
import { pageOf } from '#contracts/api/paging.js';
import { uploadOf } from '#contracts/api/schemas.js';
import { defineEndpoints, textUploadProblems } from '#contracts/api/endpoints/endpoint.js';

/** Operations with the tag `corpus`. */
export const corpusEndpoints = defineEndpoints('corpus', {
  ingestCorpus: {
    method: 'POST',
    path: '/api/corpus/ingest',
    summary: 'Add texts (JSON) or files (multipart) to the style corpus, which is created on first use',
    query: corpus.corpusUploadQuery,
    body: corpus.corpusIngestSchema,
    multipart: 'also',
    status: 202,
    response: uploadOf(corpus.addedCorpusTextSchema),
    errors: [...textUploadProblems, 'too_many_collections'],
  },
  listCorpusTexts: {
    method: 'GET',
    path: '/api/corpus/texts',
    summary: 'List the texts of the style corpora, newest first',
    query: corpus.corpusTextsQuery,
    response: pageOf(corpus.corpusTextSchema),
  },
  getFingerprint: {
    method: 'GET',
    path: '/api/corpus/fingerprint',
    summary: 'Read the fingerprint of the style corpora: measures and habits in readable form',
    query: corpus.fingerprintQuery,
    response: fingerprintSchema,
    errors: ['corpus_empty'],
  },
  compareWithCorpus: {
    method: 'POST',
    path: '/api/corpus/compare',
    summary:
      'Compare a text with the style corpora: deviations, their size, and a copy with the safe corrections',
    scope: 'read',
    body: corpus.compareSchema,
    response: corpus.comparedSchema,
    errors: ['corpus_empty'],
  },
});
