import type { EmbeddedImage } from '#extraction/embedded-images.js';
import { encodingOffers, type EncodingOffers } from '#extraction/encoding-offers.js';
import { extractText, ExtractionError, UndecodedError } from '#extraction/extract.js';

export interface Extracted {
  text: string;
  /** `docx`, `pdf`, `html` and so on, as `extractText` says. */
  format: string;
  images: EmbeddedImage[];
  /** What it was converted to UTF-8 from; null when it was not. */
  encoding: string | null;
}

/** Text in an encoding that the file does not say: what it may be, and for a person why it cannot be read. */
export interface UndecodedText {
  undecoded: EncodingOffers;
  why: string;
}

/** The text of a document; or what its encoding may be; or why there is none, in words for a person. */
export type ExtractionResult = Extracted | UndecodedText | { problem: string };

export interface ExtractionWork {
  bytes: Uint8Array;
  name: string;
  /** As a person decided. */
  encoding?: string;
}

/** Runs in a child process: extracts the text of a Word, PDF, HTML or notebook file, or of one in another encoding than UTF-8. */
export default async function extract({
  bytes,
  name,
  encoding: decided,
}: ExtractionWork): Promise<ExtractionResult> {
  try {
    const { text, format, images = [], encoding = null } = await extractText(bytes, name, decided);
    return { text, format, images, encoding };
  } catch (error) {
    if (error instanceof UndecodedError) return { undecoded: encodingOffers(bytes), why: error.message };
    if (error instanceof ExtractionError) return { problem: error.message };
    throw error;
  }
}
