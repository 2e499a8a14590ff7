import { styleQuery } from '#writing/style/query.js';
import type { ArticlePorts } from '../ports.js';
import type { ArticleNodeFunction } from '../state.js';

/** A7: of a text of somebody's own this beginning says what it is like. */
const BEGINNING = 500;

/** A1, A7, A9: the passages of the corpus that are nearest: to topic and first paragraph, or to the beginning of the text. */
export function ragRetriever(ports: ArticlePorts): ArticleNodeFunction {
  return async ({ mode, topic, raw_draft: draft, user_text: text }) => {
    const query = mode === 'shadow' ? text.slice(0, BEGINNING).toWellFormed() : styleQuery(topic, draft);
    return { style_fragments: await ports.style.fragments(query) };
  };
}
