import { type Finding, withOverruled } from '#contracts/findings.js';
import { reviewClaims } from '#kit/graph/review-claims.js';
import { sortFindings } from '#writing/findings.js';
import { isDisputed } from '#writing/proofs/proofs.js';
import { DESK, prefix } from '../prompts/prompts.js';
import type { ArticlePorts } from './ports.js';
import { personsWords, plannedPassages, type ArticleNodeFunction, type ArticleState } from './state.js';

/** Returns what rules find in the citations of a text, and marks what a person called wrong before. */
export async function checkArticle(
  ports: ArticlePorts,
  state: ArticleState,
  text: string,
): Promise<Finding[]> {
  const findings = await ports.rules.call('citations', text, state.passages, personsWords(state));
  return withOverruled(findings, await ports.overruled());
}

/**
 * Checks the citations of a report or a draft: rules look up each claim in its passages, then the model proves or refutes
 * what they left open (X15).
 *
 * @param byModel false for a text that quotes the passages word for word, so that nothing is left open
 * @returns the findings, and the stage that rules did in place of the model, if any
 */
export async function reviewCitations(
  ports: ArticlePorts,
  state: ArticleState,
  text: string,
  byModel: boolean,
  config: Parameters<ArticleNodeFunction>[1],
): Promise<{ findings: Finding[]; stage: string | null }> {
  const findings = await checkArticle(ports, state, text);
  if (ports.offline || !byModel) return { findings, stage: null };
  // A disputed name may be proved by any passage of its source.
  const passages = findings.some(isDisputed) ? state.passages : plannedPassages(state, text);
  const reviewed = { system: DESK, prefix: prefix({ ...state, passages }), text, findings };
  const review = await reviewClaims(ports, reviewed, config);
  if (review === null) return { findings, stage: 'review_claims' };
  const settled = await ports.rules.call('settle', text, findings, review.verdicts, state.passages);
  const own = withOverruled(review.findings, await ports.overruled());
  return { findings: sortFindings([...settled, ...own]), stage: null };
}
