import type { EmbeddedImage } from '#extraction/embedded-images.js';
import { extractText, ExtractionError } from '#extraction/extract.js';

/** The text of a document, or why there is none, in words for a person. */
export type ExtractionResult = { text: string; images: EmbeddedImage[] } | { problem: string };

/** Runs in a thread: extracts the text of a Word, PDF, HTML or notebook file. */
export default async function extract(work: { bytes: Uint8Array; name: string }): Promise<ExtractionResult> {
  try {
    const { text, images = [] } = await extractText(work.bytes, work.name);
    return { text, images };
  } catch (error) {
    if (error instanceof ExtractionError) return { problem: error.message };
    throw error;
  }
}
