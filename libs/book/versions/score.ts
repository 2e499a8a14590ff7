import { type Finding, isActive, type OverruledFinding, withOverruled } from '#contracts/findings.js';
import { PASSING_SCORE, type ChapterReview } from '../contract/review.js';

const PENALTY = { error: 6, warning: 2, info: 0 } as const;
/** An open claim, which no reviewer has settled. */
const FOR_OPEN = 2;
const MOST_FOR_FINDINGS = 40;
const FOR_GUARDRAIL = 20;
/** The most that a missing length costs; a text of half its length loses half of it. */
const FOR_LENGTH = 40;
/** The highest score of a text that is cut off or has less than half of its length. */
const FRAGMENT = 60;
/** The highest score of a text about which the reviewer found something severely wrong. */
const SEVERE = 60;

type Findings = Pick<ChapterReview, 'findings'>;
/** What a reviewer, or rules in its place, say about a text. */
interface Judged {
  score: number;
  should_revise: boolean;
}

/** Returns whether a finding is a statement without a source. It costs as much as a refuted statement. */
const isUncited = ({ rule }: Finding): boolean => rule.startsWith('citation-missing-');
const isOpen = ({ rule }: Finding): boolean => rule.startsWith('citation-open-');
const isError = ({ severity }: Finding): boolean => severity === 'error';

/** Returns the findings of statements that the sources refute or do not support. */
const unsupportedIn = ({ findings }: Findings): Finding[] =>
  findings.filter((found) => isActive(found) && (isError(found) || isUncited(found)));

/** Returns the highest score of a text with these findings (B26). */
export const highestScore = (review: Findings): number => 100 - unsupportedIn(review).length * PENALTY.error;

/** Computes a score of 0…100 from findings; `scoreOf` lowers it for guardrails and length. */
export function ruleScore({ findings }: Findings): number {
  const off = findings
    .filter(isActive)
    .reduce(
      (sum, found) =>
        sum + (isUncited(found) ? PENALTY.error : isOpen(found) ? FOR_OPEN : PENALTY[found.severity]),
      0,
    );
  return clamp(100 - Math.min(MOST_FOR_FINDINGS, off));
}

/** Returns the judgement of the rules, which is used without a reviewer. */
export const judgedByRules = (review: Findings): Judged => ({
  score: ruleScore(review),
  should_revise: review.findings.some((found) => isActive(found) && isError(found)),
});

/** Returns the judgement of a reviewer that gave a score and found these severe problems, among others. */
export function judgedByReviewer(score: number, { findings }: Findings): Judged {
  const severe = findings.filter(
    (found) => isActive(found) && found.rule.startsWith('review-') && found.severity === 'warning',
  );
  const isWrong = severe.some(({ rule }) => /^review-(?:unsupported|contradiction)$/.test(rule));
  return { score: Math.round(isWrong ? Math.min(SEVERE, score) : score), should_revise: severe.length > 0 };
}

type Scored = Findings & Pick<ChapterReview, 'guardrails' | 'words' | 'minimum_words'>;

/** Returns the score of a text and whether it is revised, from the judgement, its findings and its form (B9). */
export function scoreOf(review: Scored, judged: Judged) {
  const score = lowered(Math.min(judged.score, highestScore(review)), review);
  return {
    score,
    should_revise: judged.should_revise,
    effective_should_revise:
      judged.should_revise ||
      score < PASSING_SCORE ||
      review.guardrails.length > 0 ||
      unsupportedIn(review).length > 0,
  };
}

/** Lowers a score for failed guardrails and missing length, whoever reviewed the text (B9). */
function lowered(score: number, { guardrails, words, minimum_words: minimum }: Scored): number {
  const others = guardrails.filter((guardrail) => guardrail !== 'too_short').length;
  const missing = minimum === 0 ? 0 : Math.max(0, 1 - words / minimum);
  const isFragment = missing > 0.5 || guardrails.includes('cut_end');
  return clamp(Math.min(isFragment ? FRAGMENT : 100, score - others * FOR_GUARDRAIL - missing * FOR_LENGTH));
}

const clamp = (score: number): number => Math.round(Math.min(100, Math.max(0, score)));

/**
 * Returns a stored review in which the findings that its author called wrong count for nothing. The score of a review
 * that a model made in an older release stays, because it does not say what the model gave.
 */
export function overruledIn(review: ChapterReview, rulings: readonly OverruledFinding[]): ChapterReview {
  const findings = withOverruled(review.findings, rulings);
  const marked = { ...review, findings };
  // Rules of an older release may have scored otherwise.
  if (findings.every((found, i) => isActive(found) === isActive(review.findings[i]!))) return marked;
  if (review.reviewer === 'rules') return { ...marked, ...scoreOf(marked, judgedByRules(marked)) };
  if (review.reviewer_score === undefined) return marked;
  return { ...marked, ...scoreOf(marked, judgedByReviewer(review.reviewer_score, marked)) };
}
