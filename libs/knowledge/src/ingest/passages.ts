import { createHash } from 'node:crypto';
import type { TextChunk } from '#contracts/knowledge.js';
import { derivedId } from '#contracts/ids.js';
import { chunkText } from '../chunk/chunk-text.js';
import { SegmentBuilder, type Segment } from '../index/segment.js';
import { countTerms } from '../index/terms.js';
import { detectLanguage, detectSourceLanguage } from '../text/languages.js';

/** Rises when the same text would be cut, stemmed or counted differently: passages made before are made anew. */
const INDEX_VERSION = 2;

/** A text to be cut; `sourceId` makes the ids of its passages. */
export interface SourceText {
  sourceId: string;
  text: string;
  title: string | null;
  /** ISO 639-1 as the client gave it; detected when null. */
  givenLanguage: string | null;
}

/** A passage of a source. The same text under the same headings has the same id, wherever in the source it stands. */
export interface PlannedPassage extends TextChunk {
  id: string;
  language: string | null;
}

export interface PassagePlan {
  /** Of the source; null for none or several. */
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

/** What says what a passage is about and does not stand in it: the title of its source and the headings above it. */
function contextOf(title: string | null, { headingPath }: TextChunk, passage: string): string {
  return [title ?? '', ...headingPath].filter((line) => line !== '' && !passage.includes(line)).join('\n');
}

/** What is indexed and embedded of a passage. */
export function indexedText(text: string, title: string | null, chunk: TextChunk): string {
  const passage = text.slice(chunk.start, chunk.end);
  const context = contextOf(title, chunk, passage);
  return context === '' ? passage : `${context}\n${passage}`;
}

/** A passage to be put into a segment. */
export interface PassageToIndex {
  source: number;
  text: string;
  language: string | null;
}

/** Puts passages into a segment, in their order. */
export function buildSegment(passages: PassageToIndex[]): Segment {
  const builder = new SegmentBuilder();
  for (const { source, text, language } of passages)
    builder.add({ source, terms: countTerms(text, language) });
  return builder.build();
}

/** Segments joined to one, without what is gone, and for each segment the new ordinals of its passages (−1: gone). */
export function mergeSegments(segments: Segment[]): { merged: Segment; ordinals: Int32Array[] } {
  const builder = new SegmentBuilder();
  const ordinals = segments.map((segment) => builder.append(segment));
  return { merged: builder.build(), ordinals };
}

/** Text as it can be stored and cited: line feeds alone end lines, no NUL, no half of a surrogate pair. */
export function normaliseText(text: string): string {
  return text.replace(/\r\n?/g, '\n').replaceAll('\0', '').toWellFormed();
}
