import * as schemas from './schemas.js';
import { budgetProblems, defineEndpoints } from '#contracts/api/endpoints/endpoint.js';

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
