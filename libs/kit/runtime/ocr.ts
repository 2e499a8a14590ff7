import type { ReadByOcr } from '#contracts/inventory.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { ExtractionError } from '#extraction/errors.js';
import type { EmbeddedImage } from '#extraction/embedded-images.js';
import type { PictureWords } from '#extraction/ocr/insert-words.js';
import { ocrLanguages, type OcrParagraph } from '#extraction/ocr/recognize.js';
import type { Extracted } from './extract.worker.js';
import type { InsertionWork } from './ocr.worker.js';
import type { ProcessPool } from './process-pool.js';
import { MemoryLimitError, runDespiteKills, TimeLimitError } from './work-pool.js';

const WORKER = new URL('./ocr.worker.js', import.meta.url);
/** Limit of the computing time for one picture, in milliseconds. */
export const OCR_LIMIT_MS = 60_000;
/** Most pictures of a file that are read. */
const MOST_PICTURES = 200;

/** Text with words that OCR read in pictures. */
export interface ReadText extends Extracted {
  ocr?: { read: ReadByOcr[]; textBefore: string };
}

/**
 * Reads the words in the pictures of documents by OCR, each picture in a process with limits. Does nothing if the
 * optional packages are not installed.
 */
export class Ocr {
  readonly isInstalled = ocrLanguages().length > 0;

  constructor(private readonly processes: ProcessPool) {}

  /**
   * Adds the words in the pictures of a document to its text, marked as read by OCR.
   *
   * @param fileName name of the file before a conversion from an old format
   * @throws ExtractionError if the document has only pictures and none shows words; the signal's reason
   */
  async read(
    tenantId: string,
    extracted: Extracted,
    fileName: string,
    signal: AbortSignal,
  ): Promise<ReadText> {
    const images = extracted.images.filter((image) => !image.name.endsWith('.svg'));
    if (!this.isInstalled || images.length === 0) return extracted;
    const pool = this.processes.for(WORKER, tenantId);
    const run = <T>(work: { picture: Uint8Array } | InsertionWork) =>
      runDespiteKills<T>(pool, work, OCR_LIMIT_MS, signal);
    const wordsOf = async ({ name: picture, bytes }: EmbeddedImage, at: number): Promise<PictureWords> => {
      if (at >= MOST_PICTURES) return { name: picture, problem: `the file has more than ${MOST_PICTURES}` };
      try {
        return { name: picture, paragraphs: await run<OcrParagraph[]>({ picture: bytes }) };
      } catch (error) {
        signal.throwIfAborted();
        return { name: picture, problem: problemOf(error) };
      }
    };
    const pictures = await Promise.all(images.map(wordsOf));
    const { text: textBefore, onlyPictures = false, current } = extracted;
    // Pictures have the name of the file in the current format.
    const name = current?.name ?? fileName;
    const { text, read } = await run<{ text: string; read: ReadByOcr[] }>({
      text: textBefore,
      name,
      pictures,
    });
    if (read.length === 0 && onlyPictures)
      throw new ExtractionError(phrase('unreadable.no_words_by_ocr', { name: fileName }));
    return { ...extracted, text, ...(read.length > 0 && { ocr: { read, textBefore } }) };
  }
}

function problemOf(error: unknown): string {
  if (error instanceof TimeLimitError) return `OCR takes longer than ${OCR_LIMIT_MS / 1_000} s`;
  if (error instanceof MemoryLimitError) return 'OCR needs too much memory';
  return 'OCR cannot read it';
}
