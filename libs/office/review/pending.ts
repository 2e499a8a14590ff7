import { alignWords } from './align.js';
import type { PendingChange } from './track.js';

/** An open proposal, with its place in the text that it was made for. */
export interface OpenProposal extends Omit<PendingChange, 'isLost'> {
  /** Key of that text among the given ones; words around the place if it is not stored. */
  base: string;
  context: { text: string; start: number } | null;
  /** Part of the manuscript that shows the text, such as a chapter of a book; null for all of it. */
  part: { start: number; end: number } | null;
}

/**
 * Finds the places of open proposals in the current manuscript: words that nobody has changed since.
 *
 * @param texts texts that they were made for, by their keys
 */
export function pendingIn(
  manuscript: string,
  proposals: readonly OpenProposal[],
  texts: Readonly<Record<string, string>>,
): PendingChange[] {
  const aligned = new Map<string, ReturnType<typeof placesIn>>();
  return proposals.map(({ base, context, part, ...proposal }) => {
    const { start, end, at } = proposal;
    const offset = part?.start ?? 0;
    const shown = part ? manuscript.slice(offset, part.end) : manuscript;
    const key = `${offset} ${base}`;
    const place = context
      ? placeByContext(shown, context)
      : (aligned.get(key) ?? placesIn(shown, texts[base]!));
    if (!context) aligned.set(key, place);
    const [from, to, into] = [place(start, end), place(end, end), place(at, at)];
    const isKept = from !== null && to !== null && into !== null && to - from === end - start;
    if (!isKept) return { ...proposal, at: offset, isLost: true };
    return { ...proposal, start: offset + from, end: offset + to, at: offset + into, isLost: false };
  });
}

/** Returns a function that finds the place of a character of a text in another one, or of the end of the part before it. */
function placesIn(text: string, older: string): (at: number, end: number) => number | null {
  if (text === older) return (at) => at;
  const placed = new Int32Array(older.length + 1).fill(-1);
  alignWords(text, older).forEach((at, place) => {
    if (at >= 0) placed[at] = place;
  });
  placed[older.length] = text.length;
  return (at, end) => {
    if (end > at) return placed[at]! < 0 ? null : placed[at]!;
    // What is inserted belongs to the words before it.
    if (at > 0 && placed[at - 1]! >= 0) return placed[at - 1]! + 1;
    return placed[at]! < 0 ? null : placed[at]!;
  };
}

function placeByContext(text: string, { text: words, start }: { text: string; start: number }) {
  const isThere = text.startsWith(words, start);
  const found = isThere ? start : text.indexOf(words);
  const isUnique = isThere || (found >= 0 && text.indexOf(words, found + 1) < 0);
  return (at: number): number | null => (isUnique && words !== '' ? at - start + found : null);
}
