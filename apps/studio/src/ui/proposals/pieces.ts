import { diffWordsWithSpace } from 'diff';
import type { Span } from '#contracts/findings.js';

/** A part of a paragraph: kept, or deleted, inserted or remarked on by a proposal. */
export interface Piece {
  text: string;
  change: { tag: 'del' | 'ins' | 'mark'; proposal: string } | null;
}

/** A change of a paragraph. */
export interface ParagraphChange {
  id: string;
  /** The words that it replaces or remarks on, in UTF-16 units; null if they are not in the paragraph. */
  span: Span | null;
  /** The words instead; null for a remark. */
  after: string | null;
}

/** Edits above which words are not compared: the old words are shown before the new ones. */
const MAX_EDITS = 1_000;
/** Least share of kept characters: a text with fewer is easier to read as old words before new ones. */
const MIN_KEPT = 0.3;

/** Returns the parts of a paragraph with its proposed changes; of changes that overlap, the first is shown. */
export function piecesOf(text: string, changes: readonly ParagraphChange[]): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  const placed = changes.flatMap(({ span, ...rest }) => (span ? [{ ...span, ...rest }] : []));
  for (const { id: proposal, start, end, after } of placed.sort((a, b) => a.start - b.start)) {
    if (start < at) continue;
    pieces.push({ text: text.slice(at, start), change: null });
    const before = text.slice(start, end);
    const words: Words[] = after === null ? [['mark', before]] : changedWords(before, after);
    pieces.push(...words.map(([tag, words]) => ({ text: words, change: tag && { tag, proposal } })));
    at = end;
  }
  pieces.push({ text: text.slice(at), change: null });
  return pieces.filter(({ text: { length } }) => length > 0);
}

type Words = ['del' | 'ins' | 'mark' | null, string];

/** Compares two texts by words. Changes with only space between them are one change. */
function changedWords(before: string, after: string): Words[] {
  const whole: Words[] = [
    ['del', before],
    ['ins', after],
  ];
  const parts = diffWordsWithSpace(before, after, { maxEditLength: MAX_EDITS });
  if (!parts) return whole;
  const words: Words[] = [];
  let [kept, deleted, inserted] = [0, '', ''];
  const flush = () => {
    words.push(
      ...([
        ['del', deleted],
        ['ins', inserted],
      ] satisfies Words[]),
    );
    [deleted, inserted] = ['', ''];
  };
  for (const { value, added, removed } of parts) {
    const isSpace = !added && !removed && value.trim() === '' && deleted + inserted !== '';
    if (removed || isSpace) deleted += value;
    if (added || isSpace) inserted += value;
    if (added || removed || isSpace) continue;
    flush();
    words.push([null, value]);
    kept += value.trim().length;
  }
  flush();
  return kept < MIN_KEPT * Math.min(before.length, after.length) ? whole : words;
}
