import type { ArticlePorts } from '../ports.js';
import type { ArticleNodeFunction } from '../state.js';
import { splitParagraphs } from '#writing/paragraphs.js';
import { sentencesIn } from '#writing/sentences.js';

/** Characters at the start of a user's text that are used as the query. */
const BEGINNING = 500;

/**
 * A1, A7, A9: retrieves the corpus passages most similar to the topic and first paragraph, or to the start of
 * the user's text.
 */
export function ragRetriever(ports: ArticlePorts): ArticleNodeFunction {
  return async ({ mode, topic, raw_draft: draft, user_text: text }) => {
    const query = mode === 'shadow' ? text.slice(0, BEGINNING).toWellFormed() : styleQuery(topic, draft);
    return { style_fragments: await ports.style.fragments(query) };
  };
}

/**
 * Returns the query that finds passages in a style corpus (A9): the topic and the first paragraph of prose of
 * the draft.
 */
export function styleQuery(topic: string, markdown: string): string {
  const [sentence] = sentencesIn(markdown, splitParagraphs(markdown));
  const parts = [topic, sentence?.paragraph.text ?? ''].filter((part) => part.trim() !== '');
  return parts.join('\n').toWellFormed();
}
