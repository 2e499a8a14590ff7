import { budgetProblems, defineEndpoints, textUploadProblems } from '#contracts/api/endpoints/endpoint.js';
import { fingerprintSchema } from '#contracts/style.js';
import { pageOf } from '#contracts/api/paging.js';
import { uploadOf } from '#contracts/api/schemas.js';
import * as schemas from './schemas.js';
import * as corpus from './corpus-schemas.js';

/** Operations with the tag `articles`. */
export const articlesEndpoints = defineEndpoints('articles', {
  chatStream: {
    method: 'POST',
    path: '/api/chat/stream',
    summary:
      'Start an article, or follow the article of a thread, by server-sent events (token, node_complete, hitl_pause, done); the stream ends at a question or with the article',
    body: schemas.chatStreamSchema,
    media: 'text/event-stream',
    errors: ['not_found', 'no_corpus', 'run_active', ...budgetProblems],
  },
  chatResume: {
    method: 'POST',
    path: '/api/chat/resume',
    summary: 'Answer the open question of a thread, and follow the thread by server-sent events',
    body: schemas.chatResumeSchema,
    media: 'text/event-stream',
    errors: ['not_found', 'not_assignee', 'invalid_answer', 'decision_answered', 'decision_stale'],
  },
  checkTopic: {
    method: 'POST',
    path: '/api/metadata/check',
    summary: 'Check whether an article on a very similar topic was approved before',
    scope: 'read',
    body: schemas.topicCheckSchema,
    response: schemas.topicCheckedSchema,
  },
});

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
