import { renderText } from '../language.js';
import type { Decision } from './choices.js';

type Asked = Pick<Decision, 'question' | 'context'> & Partial<Pick<Decision, 'phrase' | 'context_phrases'>>;

/** Returns a question and, indented, its facts in the terminal's language. The phrases of an older service are missing. */
export function describeQuestion({
  question,
  phrase,
  context,
  context_phrases: phrases = [],
}: Asked): string[] {
  return [
    renderText(phrase, question),
    ...context.map((fact, index) => `  ${renderText(phrases[index], fact)}`),
  ];
}
