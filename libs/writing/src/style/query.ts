import { splitParagraphs } from '../paragraphs.js';
import { sentencesIn } from '../sentences.js';

/** What a style corpus is asked for passages by (A9): the topic and the first paragraph of prose of what is written. */
export function styleQuery(topic: string, markdown: string): string {
  const [sentence] = sentencesIn(markdown, splitParagraphs(markdown));
  const parts = [topic, sentence?.paragraph.text ?? ''].filter((part) => part.trim() !== '');
  return parts.join('\n').toWellFormed();
}
