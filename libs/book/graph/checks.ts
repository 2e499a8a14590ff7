import { type Finding, type OverruledFinding, withOverruled } from '#contracts/findings.js';
import type { BookProfile } from '../contract/profile.js';
import { DEFAULT_MINIMUM_WORDS, minimumWords } from '../contract/profile.js';
import { type ChapterCitation, type ChapterReview, type Guardrail } from '../contract/review.js';
import { checkCitations, type CitationReport } from '#writing/citations.js';
import { checkConsistency } from '#writing/facts/consistency.js';
import { factsIn } from '#writing/facts/facts.js';
import { sortFindings } from '#writing/findings.js';
import { isDisputed, type Verdict, withVerdicts } from '#writing/proofs/proofs.js';
import { listFormProblems } from '#writing/draft-form.js';
import { checkOverlap } from '#writing/overlap.js';
import { hasBody, splitParagraphs } from '#writing/paragraphs.js';
import { withoutNotes } from '#writing/sentences.js';
import { countWords } from '#writing/words.js';
import type { ResearchNotes } from '#writing/research/rounds.js';
import { checkDrift } from './drift.js';
import type { ChapterText } from './texts.js';
import { highestScore, scoreOf } from '../versions/score.js';
import type { Judgement } from './reviewer.js';
import type { LabelledPassage } from './state.js';

/** Returns the minimum number of words of a chapter (B9). */
export function minimumOf({ chapter_length: length }: BookProfile): number {
  return length === undefined ? DEFAULT_MINIMUM_WORDS : minimumWords[length];
}

const FICTION =
  /(?<!non-?\s?)\b(?:fiction|novel\p{L}*|thriller|crime|mystery|fantasy|romance|short stor(?:y|ies)|fairy tales?|poetry|Roman\p{L}*|Krimi|Märchen|Erzählung\p{L}*|powieść|opowiadani\p{L}|baśń|baśnie|poezja)(?!\p{L})/iu;

/** Returns whether the genre of a book is invented, so that its chapters need no sources. */
export const isFiction = ({ genre = '' }: BookProfile): boolean => FICTION.test(genre);

/** Returns the guardrails that a draft fails (B9). @param headings sections of the plan; null if any will do */
export function failedGuardrails(
  content: string,
  minimum: number,
  headings: string[] | null = null,
): Guardrail[] {
  const failed: Guardrail[] = [];
  const paragraphs = splitParagraphs(content);
  const sections = paragraphs.filter(({ kind, level }) => kind === 'heading' && level === 2);
  if (!hasBody(content)) failed.push('empty_content');
  if (sections.length === 0) failed.push('no_section_heading');
  if (countWords(content) < minimum) failed.push('too_short');
  const written = sections.map(({ text }) => bareHeading(text));
  if (
    headings !== null &&
    sections.length > 0 &&
    headings.some((heading) => !written.includes(bareHeading(heading)))
  )
    failed.push('changed_headings');
  // A text that quotes its sources may hold such forms.
  if (
    headings !== null &&
    listFormProblems(content, { title: false, cited: content.includes('[^') }).length > 0
  )
    failed.push('chat_remarks');
  const last = paragraphs.at(-1);
  if (last?.kind === 'paragraph' && !ENDS.test(withoutNotes(last.text))) failed.push('cut_end');
  return failed;
}

/** A paragraph that is not cut ends with punctuation, markup or a closing bracket. */
const ENDS = /[\p{P}\p{S}]\s*$/u;
const bareHeading = (heading: string): string =>
  heading
    .replace(/^[#\s]+|[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase();

/**
 * Findings of the rules in a draft, compared with the other chapters, the citable passages and the author's
 * requirements (B26).
 */
export interface RuleReview {
  findings: Finding[];
  citations: CitationReport;
  guardrails: Guardrail[];
  words: number;
  minimum: number;
}

/** Requirements for a chapter. `known` contains the brief and the outline: names in them need no citation. */
export interface Asked {
  profile: BookProfile;
  minimum: number;
  known: string;
  /** Headings of the plan, which the draft has to use; null if it may choose its own. */
  headings: string[] | null;
  /** Findings that the author called wrong. */
  overruled?: readonly OverruledFinding[];
}

export function reviewByRules(
  content: string,
  passages: LabelledPassage[],
  others: ChapterText[],
  { profile, minimum, known, headings, overruled = [] }: Asked,
): RuleReview {
  const citations = checkCitations(content, passages, { known, needsSources: !isFiction(profile) });
  const earlier = others.flatMap(({ chapter_id: of, title, facts }) =>
    facts.map((fact) => ({ ...fact, of, title })),
  );
  const otherTexts = others.map(({ chapter_id: id, title, content: text }) => ({ id, title, text }));
  return {
    citations,
    findings: withOverruled(
      sortFindings([
        ...citations.findings,
        ...checkConsistency(content, factsIn(content), earlier),
        ...checkOverlap(content, otherTexts),
        ...checkDrift(content, profile, others),
      ]),
      overruled,
    ),
    guardrails: failedGuardrails(content, minimum, headings),
    words: countWords(content),
    minimum,
  };
}

/** Returns the review of a draft after its reviewer has settled the claims that the cited passages do not state literally. */
export function withReviewer(
  content: string,
  review: RuleReview,
  verdicts: Verdict[],
  passages: LabelledPassage[],
): RuleReview {
  const findings = withVerdicts(content, review.findings, verdicts, passages);
  const disputed = (all: Finding[]) =>
    new Set(all.filter(({ rule }) => DISPUTES.test(rule)).map(({ span }) => span?.start));
  const { citations } = review;
  const supported = citations.supported + disputed(review.findings).size - disputed(findings).size;
  const coverage = citations.statements === 0 ? 1 : supported / citations.statements;
  return { ...review, findings, citations: { ...citations, supported, coverage } };
}

const DISPUTES = /^citation-(?:open|unsupported|missing|unknown)/;

/** Returns the score of a reviewed text after rules have checked it again: its proofs and its form still count. */
export const scoreAgain = (score: number, { findings }: RuleReview): number =>
  Math.min(score, highestScore({ findings: findings.filter((found) => !isDisputed(found)) }));

/** Combines the reviewer's judgement and the rules' findings into the audit of a draft (B9). */
export function auditOf(
  judgement: Judgement,
  rules: RuleReview,
  given: {
    minimum: number;
    revision: number;
    fallbackStages: string[];
    gaps?: string[];
    newFacts?: string[];
    research?: ResearchNotes | null;
  },
): ChapterReview {
  const { gaps = [], newFacts = [] } = given;
  const findings = sortFindings([...rules.findings, ...judgement.findings]);
  const { guardrails, words } = rules;
  const minimum_words = given.minimum;
  return {
    ...scoreOf({ findings, guardrails, words, minimum_words }, judgement),
    ...(judgement.reviewer_score === undefined ? {} : { reviewer_score: judgement.reviewer_score }),
    guardrails,
    words,
    minimum_words,
    citation_coverage: rules.citations.coverage,
    findings: findings.slice(0, 200),
    comments: [
      judgement.comments,
      ...gaps.map((gap) => `Left out: ${gap}`),
      ...newFacts.map((fact) => `New: ${fact}`),
      ...(given.research ? openWords(given.research) : []),
    ].join('\n'),
    open_questions: openQuestions(given.research ?? null),
    gaps,
    new_facts: newFacts,
    conflicts: given.research?.conflicts ?? [],
    revision: given.revision,
    reviewer: judgement.reviewer,
    used_fallback: given.fallbackStages.length > 0,
    fallback_stages: given.fallbackStages,
  };
}

/** Returns the passages that a text cites, in the form stored with it. */
export function citationsOf(content: string, passages: LabelledPassage[]): ChapterCitation[] {
  return passages
    .filter(({ label }) => content.includes(`[^${label}]`))
    .map(({ label, source_id, source_title, author, heading_path, span, text, ...origin }) => ({
      label,
      source_id,
      source_title,
      author,
      heading_path,
      span,
      text,
      collection_id: origin.collection_id ?? null,
      kind: origin.url ? 'web' : 'document',
      url: origin.url ?? null,
      date: origin.date ?? null,
      fetched_at: origin.fetched_at ?? null,
    }));
}

/** Returns the questions of a chapter's research that its sources do not answer. */
const openQuestions = (research: ResearchNotes | null): string[] =>
  (research?.questions ?? []).filter(({ status }) => status === 'open').map(({ question }) => question);

/** Returns what a chapter's research leaves open, in words for its author. */
export const openWords = (research: ResearchNotes): string[] => [
  ...openQuestions(research).map((question) => `Open: ${question}`),
  ...research.conflicts.map(
    ({ about, sides }) =>
      `Sources disagree on ${about}: ${sides.map(({ label, quote }) => `[${label}] "${quote}"`).join(', ')}`,
  ),
];
