import { NOTE } from './sentences.js';
import { phrase } from '#contracts/phrases/phrase.js';
import type { Finding, Span } from '#contracts/findings.js';
import { finding } from './findings.js';
import { splitParagraphs } from './paragraphs.js';

/** Another text that should not be repeated: an earlier chapter. */
interface OtherText {
  id: string;
  title: string;
  text: string;
}

interface Overlap {
  span: Span;
  other: OtherText;
  otherSpan: Span;
  /** Length of the common run in words. */
  words: number;
}

/** Minimum number of consecutive common words that count as repetition. */
const MIN_WORDS = 12;
const SHINGLE = 6;

interface Words {
  keys: string[];
  starts: number[];
  ends: number[];
}

/**
 * Finds stretches of at least twelve words that a text shares with others: the longest at each position, in
 * order. Case, punctuation and markdown syntax are ignored. Linear in the lengths of the texts.
 */
export function findOverlaps(text: string, others: OtherText[]): Overlap[] {
  const own = wordsOf(text);
  const index = shingles(own);
  const found: Overlap[] = [];
  for (const other of others) found.push(...overlapsWith(own, index, other));
  return withoutContained(found);
}

/** Returns overlaps as findings, so that a person or the next revision can remove the repetition (B26). */
export function checkOverlap(
  markdown: string,
  others: OtherText[],
  paragraphs = splitParagraphs(markdown),
): Finding[] {
  return findOverlaps(markdown, others).map(({ span, other, otherSpan, words }) =>
    finding(markdown, paragraphs, {
      rule: 'overlap',
      severity: words >= 40 ? 'error' : 'warning',
      message: phrase('finding.overlap', { count: words, title: other.title }),
      span,
      evidence: [{ text: other.text.slice(otherSpan.start, otherSpan.end), of: other.id, span: otherSpan }],
      suggestion: phrase('finding.overlap.refer', { title: other.title }),
    }),
  );
}

function wordsOf(text: string): Words {
  const words: Words = { keys: [], starts: [], ends: [] };
  const bare = text.replace(NOTE, (note) => ' '.repeat(note.length));
  for (const match of bare.matchAll(/[\p{L}\p{N}]+/gu)) {
    words.keys.push(match[0].toLowerCase());
    words.starts.push(match.index);
    words.ends.push(match.index + match[0].length);
  }
  return words;
}

function shingles(words: Words): Map<string, number[]> {
  const index = new Map<string, number[]>();
  for (let i = 0; i + SHINGLE <= words.keys.length; i++) {
    const key = words.keys.slice(i, i + SHINGLE).join(' ');
    const places = index.get(key);
    if (!places) index.set(key, [i]);
    else if (places.length < 8) places.push(i);
  }
  return index;
}

function overlapsWith(own: Words, index: Map<string, number[]>, other: OtherText): Overlap[] {
  const theirs = wordsOf(other.text);
  const found: Overlap[] = [];
  let i = 0;
  while (i + SHINGLE <= theirs.keys.length) {
    const places = index.get(theirs.keys.slice(i, i + SHINGLE).join(' ')) ?? [];
    let best = 0;
    let at = 0;
    for (const place of places) {
      const length = runLength(own, place, theirs, i);
      if (length > best) [best, at] = [length, place];
    }
    if (best >= MIN_WORDS)
      found.push({
        other,
        words: best,
        span: { start: own.starts[at] as number, end: own.ends[at + best - 1] as number },
        otherSpan: { start: theirs.starts[i] as number, end: theirs.ends[i + best - 1] as number },
      });
    i += Math.max(1, best - SHINGLE + 1);
  }
  return found;
}

function runLength(a: Words, from: number, b: Words, to: number): number {
  let length = 0;
  while (
    from + length < a.keys.length &&
    to + length < b.keys.length &&
    a.keys[from + length] === b.keys[to + length]
  )
    length++;
  return length;
}

function withoutContained(found: Overlap[]): Overlap[] {
  const sorted = [...found].sort((a, b) => a.span.start - b.span.start || b.words - a.words);
  const kept: Overlap[] = [];
  for (const overlap of sorted) {
    const last = kept[kept.length - 1];
    if (!last || overlap.span.end > last.span.end) kept.push(overlap);
  }
  return kept;
}
