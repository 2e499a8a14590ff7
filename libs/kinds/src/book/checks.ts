import type { Finding } from '#contracts/findings.js';
import type { BookProfile } from '#contracts/kinds/book/profile.js';
import { DEFAULT_MINIMUM_WORDS, minimumWords } from '#contracts/kinds/book/profile.js';
import {
  PASSING_SCORE,
  type ChapterCitation,
  type ChapterReview,
  type Guardrail,
} from '#contracts/kinds/book/review.js';
import { checkCitations, type CitationReport } from '#writing/citations.js';
import { checkConsistency } from '#writing/facts/consistency.js';
import { factsIn } from '#writing/facts/facts.js';
import { sortFindings } from '#writing/findings.js';
import { checkOverlap } from '#writing/overlap.js';
import { splitParagraphs } from '#writing/paragraphs.js';
import { countWords } from '#writing/words.js';
import { checkDrift } from './drift.js';
import type { ChapterText } from './ports.js';
import type { LabelledPassage } from './state.js';

/** Fewest words of a chapter (B9). */
export function minimumOf({ chapter_length: length }: BookProfile): number {
  return length === undefined ? DEFAULT_MINIMUM_WORDS : minimumWords[length];
}

/** The guardrails that a draft fails (B9). */
export function failedGuardrails(content: string, minimum: number): Guardrail[] {
  const failed: Guardrail[] = [];
  if (content.trim() === '') failed.push('empty_content');
  if (!splitParagraphs(content).some(({ kind, level }) => kind === 'heading' && level === 2))
    failed.push('no_section_heading');
  if (countWords(content) < minimum) failed.push('too_short');
  return failed;
}

/** What the rules find in a draft, beside the other chapters, the passages it may cite and what its author asked for (B26). */
export interface RuleReview {
  findings: Finding[];
  citations: CitationReport;
  guardrails: Guardrail[];
  words: number;
}

export function reviewByRules(
  content: string,
  passages: LabelledPassage[],
  others: ChapterText[],
  { profile, minimum }: { profile: BookProfile; minimum: number },
): RuleReview {
  const cited = passages.map(({ label, source_id, source_title, text, span, heading_path }) => ({
    label,
    source_id,
    source_title,
    text,
    span,
    heading_path,
  }));
  const citations = checkCitations(content, cited);
  const earlier = others.flatMap(({ chapter_id: of, title, facts }) =>
    facts.map((fact) => ({ ...fact, of, title })),
  );
  const told = others.map(({ chapter_id: id, title, content: text }) => ({ id, title, text }));
  return {
    citations,
    findings: sortFindings([
      ...citations.findings,
      ...checkConsistency(content, factsIn(content), earlier),
      ...checkOverlap(content, told),
      ...checkDrift(content, profile, others),
    ]),
    guardrails: failedGuardrails(content, minimum),
    words: countWords(content),
  };
}

const PENALTY = { error: 6, warning: 2, info: 0 } as const;
const MOST_FOR_FINDINGS = 40;
const FOR_GUARDRAIL = 25;

/** 0…100 by rule: guardrails, findings, and statements without a citation in a text that cites. */
export function ruleScore({ findings, guardrails, citations }: RuleReview): number {
  const off = findings.reduce((sum, { severity }) => sum + PENALTY[severity], 0);
  const uncovered = citations.cited.length === 0 ? 0 : Math.max(0, 0.8 - citations.coverage) * 30;
  return clamp(100 - Math.min(MOST_FOR_FINDINGS, off) - guardrails.length * FOR_GUARDRAIL - uncovered);
}

export interface Judgement {
  score: number;
  should_revise: boolean;
  comments: string;
  reviewer: string;
}

/** The audit of a draft: what the reviewer said, what the rules found, and what follows from both (B9). */
export function auditOf(
  judgement: Judgement,
  rules: RuleReview,
  given: { minimum: number; revision: number; fallbackStages: string[] },
): ChapterReview {
  const errors = rules.findings.filter(({ severity }) => severity === 'error').length;
  // No reviewer's praise outweighs what is proved wrong, such as a figure that its citation does not hold (B26).
  const score = clamp(Math.min(judgement.score, 100 - errors * PENALTY.error));
  return {
    score,
    should_revise: judgement.should_revise,
    effective_should_revise: judgement.should_revise || score < PASSING_SCORE || rules.guardrails.length > 0,
    guardrails: rules.guardrails,
    words: rules.words,
    minimum_words: given.minimum,
    citation_coverage: rules.citations.coverage,
    findings: rules.findings.slice(0, 200),
    comments: judgement.comments,
    revision: given.revision,
    reviewer: judgement.reviewer,
    used_fallback: given.fallbackStages.length > 0,
    fallback_stages: given.fallbackStages,
  };
}

/** The passages that a text cites, as they are kept with it. */
export function citationsOf(content: string, passages: LabelledPassage[]): ChapterCitation[] {
  return passages
    .filter(({ label }) => content.includes(`[^${label}]`))
    .map(({ label, source_id, source_title, author, heading_path, span, text }) => ({
      label,
      source_id,
      source_title,
      author,
      heading_path,
      span,
      text,
    }));
}

const clamp = (score: number): number => Math.round(Math.min(100, Math.max(0, score)));
