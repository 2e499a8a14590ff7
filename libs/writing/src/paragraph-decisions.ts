import { createHash } from 'node:crypto';
import { diffArrays } from 'diff';
import type { Span } from '#contracts/findings.js';
import { type Paragraph, splitParagraphs } from './paragraphs.js';

/** What a revision does in one place: neighbouring paragraphs that changed together. Spans count in `base` and in `revised`. */
export interface RevisionChange {
  id: string;
  kind: 'replaced' | 'inserted' | 'removed';
  before: string;
  after: string;
  base: Span;
  revised: Span;
}

/** What a person says to one change; the reason of a rejection goes into the next revision. */
export interface ParagraphDecision {
  change_id: string;
  accepted: boolean;
  reason: string | null;
}

/** The changes between two versions of a text, paragraph by paragraph, in order (X8). */
export function revisionChanges(base: string, revised: string): RevisionChange[] {
  const before = splitParagraphs(base);
  const after = splitParagraphs(revised);
  const parts = diffArrays(
    before.map((paragraph) => paragraph.text),
    after.map((paragraph) => paragraph.text),
  );
  const changes: RevisionChange[] = [];
  let at = 0;
  let to = 0;
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i] as (typeof parts)[number];
    if (!part.added && !part.removed) {
      at += part.value.length;
      to += part.value.length;
      continue;
    }
    const next = parts[i + 1];
    const pair = next && next.added !== part.added && (next.added || next.removed) ? next : null;
    const removed = [part, pair].find((one) => one?.removed)?.value.length ?? 0;
    const added = [part, pair].find((one) => one?.added)?.value.length ?? 0;
    if (pair) i++;
    changes.push(...changesOf(base, revised, before, after, { at, removed, to, added }));
    at += removed;
    to += added;
  }
  return changes;
}

/**
 * The text that the decisions leave: accepted changes as revised, everything else byte-identical to `base`. A change without a decision
 * counts as rejected.
 */
export function applyDecisions(base: string, revised: string, decisions: ParagraphDecision[]): string {
  const accepted = new Set(decisions.filter((one) => one.accepted).map((one) => one.change_id));
  const changes = revisionChanges(base, revised);
  if (changes.length > 0 && changes.every((change) => accepted.has(change.id))) return revised;
  let text = '';
  let at = 0;
  for (const change of changes) {
    if (!accepted.has(change.id)) continue;
    text += base.slice(at, change.base.start);
    text += revised.slice(change.revised.start, change.revised.end);
    at = change.base.end;
  }
  return text + base.slice(at);
}

interface Region {
  at: number;
  removed: number;
  to: number;
  added: number;
}

/** Paragraphs that were replaced one by one are decided one by one; else the region is one change. */
function changesOf(
  base: string,
  revised: string,
  before: Paragraph[],
  after: Paragraph[],
  region: Region,
): RevisionChange[] {
  const { at, removed, to, added } = region;
  if (removed !== added || removed === 0) return [change(base, revised, before, after, region)];
  return Array.from({ length: removed }, (_, i) =>
    change(base, revised, before, after, { at: at + i, removed: 1, to: to + i, added: 1 }),
  );
}

function change(
  base: string,
  revised: string,
  before: Paragraph[],
  after: Paragraph[],
  { at, removed, to, added }: Region,
): RevisionChange {
  const both = removed > 0 && added > 0;
  const from = regionSpan(before, at, removed, both);
  const into = regionSpan(after, to, added, both);
  const words = { before: base.slice(from.start, from.end), after: revised.slice(into.start, into.end) };
  const seed = [at, words.before, words.after].join('\u0000');
  return {
    id: createHash('sha256').update(seed).digest('hex').slice(0, 12),
    kind: both ? 'replaced' : removed > 0 ? 'removed' : 'inserted',
    ...words,
    base: from,
    revised: into,
  };
}

/** A replaced stretch ends with its words; what is inserted or removed takes the white space behind it along, or before it at the end. */
function regionSpan(paragraphs: Paragraph[], at: number, count: number, wordsOnly: boolean): Span {
  const first = paragraphs[at];
  const before = paragraphs[at - 1];
  const next = paragraphs[at + count];
  if (wordsOnly)
    return { start: (first as Paragraph).start, end: (paragraphs[at + count - 1] as Paragraph).end };
  if (next) return { start: (first as Paragraph).start, end: next.start };
  const start = before?.end ?? 0;
  return { start, end: count === 0 ? start : (paragraphs[at + count - 1] as Paragraph).end };
}
