import type { Fact } from '#contracts/facts.js';
import { factsIn } from '#writing/facts/facts.js';
import { acceptedParagraphs, newParagraphs, remainingParagraphs } from '../versions/kept-paragraphs.js';
import { summaryOf } from '#writing/sentences.js';
import {
  applyDecisions,
  revisionChanges,
  type ParagraphDecision,
  type RevisionChange,
} from '#writing/paragraph-decisions.js';

export type ChapterTextWork =
  | { op: 'derive'; content: string; before: KeptText | null }
  | { op: 'changes'; base: string; revised: string }
  | { op: 'decide'; base: string; revised: string; decisions: ParagraphDecision[]; kept: string[] };

/** A text with the IDs of the paragraphs that runs leave as they are. */
export interface KeptText {
  content: string;
  kept: string[];
}

/** A text with the facts extracted from it, and its summary. */
export interface DerivedText extends KeptText {
  facts: Fact[];
  summary: string;
}

/** Decided text, or in `unknown` the ids of decisions about changes that do not exist. */
export type DecidedText = { unknown: string[] } | DerivedText;

/**
 * Runs in a thread: derives the data of a chapter's text, compares two texts, or applies decisions about
 * their changes.
 */
export default function chapterText(work: ChapterTextWork): DerivedText | RevisionChange[] | DecidedText {
  if (work.op === 'derive') {
    const { content, before } = work;
    const own = newParagraphs(before?.content ?? '', content);
    return derived(content, [...remainingParagraphs(content, before?.kept ?? []), ...own]);
  }
  const { base, revised } = work;
  const changes = revisionChanges(base, revised);
  if (work.op === 'changes') return changes;
  const known = new Set(changes.map(({ id }) => id));
  const unknown = work.decisions.map(({ change_id: id }) => id).filter((id) => !known.has(id));
  if (unknown.length > 0) return { unknown };
  const { decisions, kept } = work;
  const content = applyDecisions(base, revised, decisions);
  const accepted = acceptedParagraphs(content, { decisions, base, revised });
  return derived(content, [...new Set([...remainingParagraphs(content, kept), ...accepted])]);
}

const derived = (content: string, kept: string[]): DerivedText => ({
  content,
  kept,
  facts: factsIn(content),
  summary: summaryOf(content),
});
