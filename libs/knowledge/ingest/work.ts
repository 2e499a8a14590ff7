import { z } from 'zod';
import type { ExtractedText } from '#extraction/extracted-text.js';
import { withoutMarks, withoutMarksByPage } from '#extraction/left-out.js';
import { referenceSchema, type Reference } from '#contracts/bibliography.js';
import type { FileReference } from '#extraction/reference/read-reference.js';
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

/** Beginning of a page of a source in its text, and the page's printed number. */
export interface PageStart {
  at: number;
  page: string;
}

/** Text of a source, and what is known about it from its file. */
export interface SourceContent {
  text: string;
  reference: Reference;
  /** Pages of a PDF in their order; empty for other files. */
  pages: PageStart[];
}

const detailsSchema = z.object({
  reference: referenceSchema,
  pages: z.array(z.object({ at: z.number(), page: z.string() })),
});

/** Reads the stored details of a content. */
export const parseDetails = (bytes: Uint8Array): Omit<SourceContent, 'text'> =>
  detailsSchema.parse(JSON.parse(Buffer.from(bytes).toString('utf8')));

/** Computations of indexing, without database or network; a worker runs them in threads. */
export interface IndexWork {
  /** Extracts the text of a tenant's file and applies `tidy`. @throws ExtractionError */
  extract(bytes: Uint8Array, fileName: string, tenantId: string): Promise<SourceContent>;
  /** Returns the text to index of a text that was extracted from a file. */
  tidy(extracted: Pick<ExtractedText, 'text' | 'format'>, file: FileReference): Promise<SourceContent>;
  /** Cuts texts into passages. */
  plan(sources: SourceText[]): Promise<PassagePlan[]>;
  /** Builds segments from their passages. */
  build(segments: PassageToIndex[][]): Promise<Segment[]>;
  merge(segments: Segment[]): Promise<{ merged: Segment; ordinals: Int32Array[] }>;
}

/** Formats whose extracted text marks omissions; an e-mail includes the marks of its attachments. */
const MARKED = new Set('docx rtf odt ods odp xlsx pptx epub pdf html ipynb eml srt vtt'.split(' '));

/** Runs in the calling thread: for texts of a few pages. */
export const inlineWork: IndexWork = {
  async extract(bytes, fileName) {
    // Loads the parsers only if needed: most processes extract in others.
    const { extractText } = await import('#extraction/extract.js');
    const { readFileReference } = await import('#extraction/reference/read-reference.js');
    return inlineWork.tidy(await extractText(bytes, fileName), await readFileReference(bytes, fileName));
  },
  tidy: ({ text, format }, { reference, pageLabels = [] }) => {
    if (format !== 'pdf') {
      const tidied = normaliseText(MARKED.has(format) ? withoutMarks(text) : text);
      return Promise.resolve({ text: tidied, reference, pages: [] });
    }
    const { text: tidied, pages } = withoutMarksByPage(normaliseText(text));
    const starts = pages.map(({ page, at }) => ({ at, page: pageLabels[page - 1] || String(page) }));
    return Promise.resolve({ text: tidied, reference, pages: starts });
  },
  plan: (sources) => Promise.resolve(sources.map(planPassages)),
  build: (segments) => Promise.resolve(segments.map(buildSegment)),
  merge: (segments) => Promise.resolve(mergeSegments(segments)),
};
