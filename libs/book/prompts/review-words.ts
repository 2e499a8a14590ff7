import type { ChapterReview } from '../contract/review.js';
import type { Steering } from '../graph/state.js';

const MAX_FINDINGS = 30;

/** Returns a review as text for the prompt of the revision. */
export function reviewBlock(review: ChapterReview): string {
  const found = review.findings
    .slice(0, MAX_FINDINGS)
    .map(
      ({ severity, paragraph_id: id, message, suggestion }) =>
        `- ${severity}${id ? ` in <<${id}>>` : ''}: ${message} ${suggestion ?? ''}`,
    );
  return [`Score ${review.score}. ${review.comments}`, ...guardrailWords(review), ...found].join('\n');
}

function guardrailWords({ guardrails, words, minimum_words: minimum }: ChapterReview): string[] {
  return guardrails.map((guardrail) => {
    if (guardrail === 'too_short') return `- It has ${words} words and needs ${minimum}: insert paragraphs.`;
    return guardrail === 'no_section_heading' ? '- It needs a "## " heading.' : '- It is empty.';
  });
}

/** Changes that the author refused, with the reasons. */
export function rejectionLines(steering: Steering | null): string {
  return (steering?.rejections ?? [])
    .map(({ before, after, reason }) =>
      [
        `- Refused: ${short(after) || '(the removal of a paragraph)'}`,
        before === '' ? '' : `  It stays: ${short(before)}`,
        `  Reason: ${reason ?? 'not given'}`,
      ]
        .filter(Boolean)
        .join('\n'),
    )
    .join('\n');
}

const short = (text: string): string => text.replace(/\s+/g, ' ').slice(0, 600);
