import { extractText, type ExtractedText } from '#extraction/extract.js';
import { withoutMarks } from '#extraction/left-out.js';
import type { Segment } from '../index/segment.js';
import {
  buildSegment,
  mergeSegments,
  normaliseText,
  planPassages,
  type PassagePlan,
  type PassageToIndex,
  type SourceText,
} from './passages.js';

/** What takes long and needs neither database nor network: a worker does it in threads. */
export interface IndexWork {
  /** The text of a tenant's file, as `tidy` leaves it. @throws ExtractionError */
  extract(bytes: Uint8Array, fileName: string, tenantId: string): Promise<string>;
  /** What is indexed of a text that was extracted from a file. */
  tidy(extracted: Pick<ExtractedText, 'text' | 'format'>): Promise<string>;
  plan(source: SourceText): Promise<PassagePlan>;
  build(passages: PassageToIndex[]): Promise<Segment>;
  merge(segments: Segment[]): Promise<{ merged: Segment; ordinals: Int32Array[] }>;
}

/** Formats whose text says where something was left out; an e-mail holds that of its attachments. */
const MARKED = new Set(['docx', 'pdf', 'eml']);

/** The work done in the thread of the caller: for texts of some pages. */
export const inlineWork: IndexWork = {
  extract: async (bytes, fileName) => inlineWork.tidy(await extractText(bytes, fileName)),
  tidy: ({ text, format }) => Promise.resolve(normaliseText(MARKED.has(format) ? withoutMarks(text) : text)),
  plan: (source) => Promise.resolve(planPassages(source)),
  build: (passages) => Promise.resolve(buildSegment(passages)),
  merge: (segments) => Promise.resolve(mergeSegments(segments)),
};
