import { withLineFeeds } from '#contracts/text.js';
import { createHash } from 'node:crypto';
import type { TextChunk } from '../contract.js';
import { derivedId } from '#contracts/ids.js';
import { chunkText } from '../chunk/chunk-text.js';
import { SegmentBuilder, type Segment, countTerms } from '../index/segment.js';
import { detectLanguage, detectSourceLanguage } from '../text/stems.js';

/**
 * Increment it if the same text would be cut, stemmed or counted differently: then all passages are made
 * again.
 */
const INDEX_VERSION = 2;

/** A text to cut into passages, whose IDs are derived from `sourceId`. */
export interface SourceText {
  sourceId: string;
  text: string;
  title: string | null;
  /** ISO 639-1 code from the client; null to detect it. */
  givenLanguage: string | null;
}

/**
 * A passage of a source. The same text under the same headings has the same ID, wherever it is in the source.
 */
export interface PlannedPassage extends TextChunk {
  id: string;
  language: string | null;
}

export interface PassagePlan {
  /** Language of the source; null if it is unknown or there are several. */
  language: string | null;
  passages: PlannedPassage[];
}

/** Cuts a source into passages. */
export function planPassages({ sourceId, text, title, givenLanguage }: SourceText): PassagePlan {
  const language = givenLanguage ?? detectSourceLanguage(text);
  const seen = new Map<string, number>();
  const passages = chunkText(text).map((chunk) => {
    const passage = text.slice(chunk.start, chunk.end);
    const own = language === 'mixed' ? detectLanguage(passage) : language;
    const hash = hashOf([String(INDEX_VERSION), own ?? '', contextOf(title, chunk, passage), passage]);
    const times = (seen.get(hash) ?? 0) + 1;
    seen.set(hash, times);
    return { ...chunk, id: derivedId('chk', `${sourceId}/${hash}/${times}`), language: own };
  });
  return { language: language === 'mixed' ? null : language, passages };
}

function hashOf(parts: string[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${part.length}:`).update(part);
  return hash.digest('hex');
}

/** Returns the context that a passage lacks: the title of its source and the headings above it. */
function contextOf(title: string | null, { headingPath }: TextChunk, passage: string): string {
  return [title ?? '', ...headingPath].filter((line) => line !== '' && !passage.includes(line)).join('\n');
}

/** Returns the text to index and embed for a passage. */
export function indexedText(text: string, title: string | null, chunk: TextChunk): string {
  const passage = text.slice(chunk.start, chunk.end);
  const context = contextOf(title, chunk, passage);
  return context === '' ? passage : `${context}\n${passage}`;
}

/** A passage to add to a segment. */
export interface PassageToIndex {
  source: number;
  text: string;
  language: string | null;
}

/** Builds a segment from passages, in their order. */
export function buildSegment(passages: PassageToIndex[]): Segment {
  const builder = new SegmentBuilder();
  for (const { source, text, language } of passages)
    builder.add({ source, terms: countTerms(text, language) });
  return builder.build();
}

/**
 * Merges segments without their deleted passages. Returns for each segment the new ordinals of its passages
 * (−1: deleted).
 */
export function mergeSegments(segments: Segment[]): { merged: Segment; ordinals: Int32Array[] } {
  const builder = new SegmentBuilder();
  const ordinals = segments.map((segment) => builder.append(segment));
  return { merged: builder.build(), ordinals };
}

/** Normalizes text for storage and citation: unifies line ends, removes NUL and replaces unpaired surrogates. */
export function normaliseText(text: string): string {
  return withLineFeeds(text).replaceAll('\0', '').toWellFormed();
}
