import { type Finding, type OverruledFinding, withOverruled } from '#contracts/findings.js';
import { proofsSchema } from '#writing/proofs/proofs.js';
import { placedFindings, reviewerFindingSchema } from '#writing/proofs/reviewer.js';
import { z } from 'zod';
import { judgedByReviewer } from '../versions/score.js';

const kinds = [
  'unsupported',
  'contradiction',
  'missing_point',
  'repetition',
  'continuity',
  'structure',
  'clarity',
  'voice',
] as const;
const score = z.number().min(0).max(100);

/** The reviewer's answer: findings by paragraph, proofs of what the cited passages do not state word for word, then scores. */
export const reviewerAnswerSchema = z.object({
  findings: z.array(reviewerFindingSchema(kinds)).max(100),
  proofs: proofsSchema,
  scores: z.object({ support: score, coverage: score, continuity: score, structure: score, style: score }),
});
export type ReviewerAnswer = z.infer<typeof reviewerAnswerSchema>;

const WEIGHTS = { support: 0.3, coverage: 0.2, continuity: 0.2, structure: 0.15, style: 0.15 } as const;

/** The reviewer's judgement, with the score that the program computes from it. */
export interface Judgement {
  score: number;
  /** What the reviewer gave, whatever it found; absent if rules judged. */
  reviewer_score?: number;
  should_revise: boolean;
  comments: string;
  reviewer: string;
  findings: Finding[];
}

/**
 * Computes the judgement from a reviewer's answer. Drops findings with a quote that the draft does not contain; those that
 * the author called wrong count for nothing.
 */
export function judgementOf(
  answer: ReviewerAnswer,
  draft: string,
  reviewer: string,
  overruled: readonly OverruledFinding[] = [],
): Judgement {
  const placed = placedFindings(draft, answer.findings);
  const findings = withOverruled(
    placed.map(({ finding }) => finding),
    overruled,
  );
  const severe = placed.filter(({ answer: { severity } }) => severity === 'severe');
  const reviewer_score = Object.entries(WEIGHTS).reduce(
    (sum, [name, weight]) => sum + answer.scores[name as keyof typeof WEIGHTS] * weight,
    0,
  );
  return {
    ...judgedByReviewer(reviewer_score, { findings }),
    reviewer_score,
    comments: `Findings of the reviewer: ${placed.length}, severe: ${severe.length}.`,
    reviewer,
    findings,
  };
}
