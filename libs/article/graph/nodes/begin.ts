import { questionOf } from '#contracts/decision-request.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { runRemotely } from '#kit/graph/remote.js';
import { stepKey } from '#kit/graph/node.js';
import type { ArticlePorts } from '../ports.js';
import { prepareResearch } from '../search.js';
import { failed, rejected, createMessage, type ArticleNodeFunction } from '../state.js';

/** A1: ends a run that lacks the inputs of its mode. Both branches start here. */
export const routeMode: ArticleNodeFunction = (state) => {
  if (state.mode === 'author' && state.topic === '')
    return Promise.resolve(failed('topic_required', phrase('run_error.topic_required')));
  if (state.mode === 'shadow' && state.user_text.trim() === '')
    return Promise.resolve(failed('user_text_required', phrase('run_error.user_text_required')));
  return Promise.resolve({});
};

/** A5: searches the log for an article on a similar topic. */
export function checkDuplicates(ports: ArticlePorts): ArticleNodeFunction {
  return async (state, config) => {
    prepareResearch(ports.research, state);
    const found = await ports.log.resembling(state.topic, state.keywords);
    if (!found) return { duplicate_detected: false, duplicate_article: null };
    ports.emit({
      type: 'duplicate_detected',
      data: { article: found },
      effectKey: `${stepKey(config)}/duplicate_detected`,
    });
    return { duplicate_detected: true, duplicate_article: found };
  };
}

/** A5: warns of the similar article. A person may continue nevertheless. */
export function confirmTopic(ports: ArticlePorts): ArticleNodeFunction {
  return (state) => {
    const article = state.duplicate_article!;
    const outcome = runRemotely('human_input', {
      session_id: state.session_id,
      decision_type: 'article_duplicate',
      ...questionOf(
        phrase('question.article_duplicate', { topic: article.topic, date: article.date.slice(0, 10) }),
      ),
      details: { article },
      deadline_seconds: ports.settings.decisionDeadlineSeconds,
      default_answer: { action: 'stop' },
    });
    const goesOn = outcome.ok && (outcome.output as Record<string, unknown>)['action'] === 'continue';
    if (goesOn)
      return Promise.resolve({
        messages: [createMessage('person', 'Go on although the topic was written about.')],
      });
    return Promise.resolve(
      rejected('duplicate_topic', phrase('run_error.duplicate_topic', { topic: article.topic })),
    );
  };
}
