import { hasBody } from '#writing/paragraphs.js';
import type { ChapterReview } from '../contract/review.js';
import { type Asked, scoreAgain } from './checks.js';
import type { ChapterText } from './texts.js';
import type { BookPorts, PresentText } from './ports.js';
import { labelled } from './steering.js';
import type { Steering } from './state.js';

/** Ranks a review: first by failed guardrails, then by score. */
export const rank = ({ score, guardrails }: Pick<ChapterReview, 'score' | 'guardrails'>): number =>
  score - 1_000 * guardrails.length;

/** The new text of a run, and what its review compared it with. */
interface NewText {
  review: ChapterReview;
  steering: Steering | null;
  others: ChapterText[];
  asked: Asked;
}

/**
 * Returns the score of the text before if it stays, because a person changed it during the run or because it is better
 * than a new draft; else null. Rules check the text before again, because the brief and other chapters may have changed.
 */
export async function scoreOfBetterText(
  ports: BookPorts,
  before: PresentText | null,
  { review, steering, others, asked }: NewText,
): Promise<{ score: number | null } | null> {
  if (!before || !hasBody(before.content)) return null;
  if (before.byPerson && before.content !== steering?.present) return { score: before.review?.score ?? null };
  if (steering || !before.review || before.review.fallback_stages.includes('draft_chapter')) return null;
  const rules = await ports.rules.call('review', before.content, labelled(before, []), others, asked);
  const again = { score: scoreAgain(before.review.score, rules), guardrails: rules.guardrails };
  return rank(again) > rank(review) ? { score: again.score } : null;
}
