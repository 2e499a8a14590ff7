import { sha256 } from '#contracts/sha256.js';
import { diffArrays } from 'diff';
import type { Span } from '#contracts/findings.js';
import { type Paragraph, splitParagraphs } from './paragraphs.js';

/**
 * One change of a revision: adjacent paragraphs that changed together. The spans refer to `base` and
 * `revised`.
 */
export interface RevisionChange {
  id: string;
  kind: 'replaced' | 'inserted' | 'removed';
  before: string;
  after: string;
  base: Span;
  revised: Span;
}

/** A person's decision on one change; the reason for a rejection goes into the next revision. */
export interface ParagraphDecision {
  change_id: string;
  accepted: boolean;
  reason: string | null;
}

/** Returns the changes between two versions of a text, by paragraph and in order (X8). */
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
 * Applies decisions: accepted changes as revised, everything else byte-identical to `base`. Changes without a
 * decision count as rejected.
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

/**
 * Returns one change per paragraph if paragraphs were replaced one by one, otherwise one change for the
 * region.
 */
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
    id: sha256(seed).slice(0, 12),
    kind: both ? 'replaced' : removed > 0 ? 'removed' : 'inserted',
    ...words,
    base: from,
    revised: into,
  };
}

/**
 * Returns the span of a region. For a replacement it ends with the words; for an insertion or removal it
 * includes the white space after it, or before it at the end of the text.
 */
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
