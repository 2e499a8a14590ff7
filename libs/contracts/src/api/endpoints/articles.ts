import * as schemas from '../article-schemas.js';
import { defineEndpoints } from './endpoint.js';

/** Operations with the tag `articles`. */
export const articlesEndpoints = defineEndpoints({
  chatStream: {
    method: 'POST',
    path: '/api/chat/stream',
    summary:
      'Start an article, or follow the one of a thread, by server-sent events (token, node_complete, hitl_pause, done); ends at a question or with the article',
    tag: 'articles',
    body: schemas.chatStreamSchema,
    status: 200,
    media: 'text/event-stream',
    errors: [
      'malformed_json',
      'invalid_request',
      'not_found',
      'no_corpus',
      'run_active',
      'token_quota_exceeded',
      'cost_quota_exceeded',
      'model_price_unknown',
    ],
  },
  chatResume: {
    method: 'POST',
    path: '/api/chat/resume',
    summary: 'Answer the question that a thread waits for, and follow what comes next by server-sent events',
    tag: 'articles',
    body: schemas.chatResumeSchema,
    status: 200,
    media: 'text/event-stream',
    errors: [
      'malformed_json',
      'invalid_request',
      'not_found',
      'not_assignee',
      'invalid_answer',
      'decision_answered',
      'decision_stale',
    ],
  },
  checkTopic: {
    method: 'POST',
    path: '/api/metadata/check',
    summary: 'Look whether an article on nearly the same topic was approved before',
    tag: 'articles',
    scope: 'read',
    body: schemas.topicCheckSchema,
    status: 200,
    response: schemas.topicCheckedSchema,
    errors: ['malformed_json', 'invalid_request'],
  },
});
