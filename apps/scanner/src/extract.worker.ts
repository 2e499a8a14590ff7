import type { EmbeddedImage } from '#extraction/embedded-images.js';
import { encodingOffers, type EncodingOffers } from '#extraction/encoding-offers.js';
import { extractText, ExtractionError, UndecodedError } from '#extraction/extract.js';

export interface Extracted {
  text: string;
  images: EmbeddedImage[];
  /** What it was converted to UTF-8 from; null when it was not. */
  encoding: string | null;
}

/** The text of a document; or what its encoding may be; or why there is none, in words for a person. */
export type ExtractionResult = Extracted | { undecoded: EncodingOffers } | { problem: string };

export interface ExtractionWork {
  bytes: Uint8Array;
  name: string;
  /** As a person decided. */
  encoding?: string;
}

/** Runs in a thread: extracts the text of a Word, PDF, HTML or notebook file, or of one in another encoding than UTF-8. */
export default async function extract(work: ExtractionWork): Promise<ExtractionResult> {
  try {
    const { text, images = [], encoding = null } = await extractText(work.bytes, work.name, work.encoding);
    return { text, images, encoding };
  } catch (error) {
    if (error instanceof UndecodedError) return { undecoded: encodingOffers(work.bytes) };
    if (error instanceof ExtractionError) return { problem: error.message };
    throw error;
  }
}
