import type { ExtractedText } from '#extraction/extracted-text.js';
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

/** Computations of indexing, without database or network; a worker runs them in threads. */
export interface IndexWork {
  /** Extracts the text of a tenant's file and applies `tidy`. @throws ExtractionError */
  extract(bytes: Uint8Array, fileName: string, tenantId: string): Promise<string>;
  /** Returns the text to index of a text that was extracted from a file. */
  tidy(extracted: Pick<ExtractedText, 'text' | 'format'>): Promise<string>;
  plan(source: SourceText): Promise<PassagePlan>;
  build(passages: PassageToIndex[]): Promise<Segment>;
  merge(segments: Segment[]): Promise<{ merged: Segment; ordinals: Int32Array[] }>;
}

/** Formats whose extracted text marks omissions; an e-mail includes the marks of its attachments. */
const MARKED = new Set('docx rtf odt ods odp xlsx pptx epub pdf html ipynb eml srt vtt'.split(' '));

/** Runs in the calling thread: for texts of a few pages. */
export const inlineWork: IndexWork = {
  async extract(bytes, fileName) {
    // Loads the parsers only if needed: most processes extract in others.
    const { extractText } = await import('#extraction/extract.js');
    return inlineWork.tidy(await extractText(bytes, fileName));
  },
  tidy: ({ text, format }) => Promise.resolve(normaliseText(MARKED.has(format) ? withoutMarks(text) : text)),
  plan: (source) => Promise.resolve(planPassages(source)),
  build: (passages) => Promise.resolve(buildSegment(passages)),
  merge: (segments) => Promise.resolve(mergeSegments(segments)),
};
