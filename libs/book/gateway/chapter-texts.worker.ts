import type { Fact } from '#contracts/facts.js';
import { factsIn } from '#writing/facts/facts.js';
import { summaryOf } from '#writing/summary.js';
import {
  applyDecisions,
  revisionChanges,
  type ParagraphDecision,
  type RevisionChange,
} from '#writing/paragraph-decisions.js';

export type ChapterTextWork =
  | { op: 'derive'; content: string }
  | { op: 'changes'; base: string; revised: string }
  | { op: 'decide'; base: string; revised: string; decisions: ParagraphDecision[] };

/** A text with the facts extracted from it, and its summary. */
export interface DerivedText {
  content: string;
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
  if (work.op === 'derive') return derived(work.content);
  const { base, revised } = work;
  const changes = revisionChanges(base, revised);
  if (work.op === 'changes') return changes;
  const known = new Set(changes.map(({ id }) => id));
  const unknown = work.decisions.map(({ change_id: id }) => id).filter((id) => !known.has(id));
  return unknown.length > 0 ? { unknown } : derived(applyDecisions(base, revised, work.decisions));
}

const derived = (content: string): DerivedText => ({
  content,
  facts: factsIn(content),
  summary: summaryOf(content),
});
