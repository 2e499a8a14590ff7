import { splitParagraphs } from '../paragraphs.js';
import { sentencesIn } from '../sentences.js';

/**
 * Returns the query that finds passages in a style corpus (A9): the topic and the first paragraph of prose of
 * the draft.
 */
export function styleQuery(topic: string, markdown: string): string {
  const [sentence] = sentencesIn(markdown, splitParagraphs(markdown));
  const parts = [topic, sentence?.paragraph.text ?? ''].filter((part) => part.trim() !== '');
  return parts.join('\n').toWellFormed();
}
