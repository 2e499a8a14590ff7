import { detailOf, messageOf, type Message } from '#contracts/phrases/detail.js';
import type { Inventory } from '#contracts/inventory.js';
import type { EmbeddedImage } from '#extraction/embedded-images.js';
import { encodingOffers, type EncodingOffers } from '#extraction/encoding-offers.js';
import { extractText, ExtractionError, UndecodedError } from '#extraction/extract.js';
import { type FileReference, readFileReference } from '#extraction/reference/read-reference.js';
import { inCurrentFormat, type NamedBytes } from './old-office.js';
import { takeInventory } from '#inventory/take-inventory.js';

export interface Extracted {
  text: string;
  /** Format as returned by `extractText`: `docx`, `pdf`, `html` and so on. */
  format: string;
  images: EmbeddedImage[];
  /** See `ExtractedText`. */
  onlyPictures?: true;
  /** Encoding that the text was converted from; null if it was not converted. */
  encoding: string | null;
  /** The file in the current format, if it was converted from an old one; its inventory is taken from it. */
  current?: NamedBytes;
  /** What the file says about itself, if it was asked for. */
  file?: FileReference;
}

/**
 * Text in an undeclared encoding: the possible encodings, and for people the reason why it cannot be read.
 */
export interface UndecodedText {
  undecoded: EncodingOffers;
  why: Message;
}

/** The text of a document, or its possible encodings, or a problem in words for people. */
export type ExtractionResult = Extracted | UndecodedText | { problem: Message };

export interface ExtractionWork {
  bytes: Uint8Array;
  name: string;
  /** Encoding that a person chose. */
  encoding?: string;
  /** Whether OCR reads the pictures afterwards, so that a PDF needs no text. */
  readsPictures?: boolean;
  /** Whether to read what the file says about itself, such as its author. */
  withReference?: boolean;
}

/** A file and the text that was extracted from it, to be compared. */
export interface InventoryWork {
  bytes: Uint8Array;
  name: string;
  extracted: Pick<Extracted, 'text' | 'encoding'>;
}

/**
 * Extracts the text of a file, or compares a file with its text. Runs in a child process.
 */
export default async function work(
  input: ExtractionWork | InventoryWork,
): Promise<ExtractionResult | Inventory> {
  if (!('extracted' in input)) return extract(input);
  return takeInventory(input.bytes, input.name, input.extracted);
}

/**
 * Extracts the text of a Word, PDF, HTML or notebook file, or of a text that is not UTF-8.
 */
async function extract(work: ExtractionWork): Promise<ExtractionResult> {
  const { encoding: decided, withReference = false, readsPictures } = work;
  try {
    const { bytes, name } = await inCurrentFormat(work);
    const { images = [], encoding = null, ...read } = await extractText(bytes, name, decided, readsPictures);
    const current = name === work.name ? {} : { current: { bytes, name } };
    const extracted = { ...read, images, encoding, ...current };
    return withReference ? { ...extracted, file: await readFileReference(bytes, name) } : extracted;
  } catch (error) {
    if (error instanceof UndecodedError)
      return { undecoded: encodingOffers(work.bytes), why: messageOf(detailOf(error)) };
    if (error instanceof ExtractionError) return { problem: messageOf(detailOf(error)) };
    throw error;
  }
}
