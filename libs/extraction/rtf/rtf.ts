import { phrase } from '#contracts/phrases/phrase.js';
import type { EmbeddedImages } from '../embedded-images.js';
import { ExtractionError } from '../errors.js';
import { RtfReader } from './reader.js';
import { rtfStart } from '#contracts/byte-text.js';
import { rtfTokens } from './tokens.js';

/**
 * Returns the text of an RTF document as Markdown: headings, paragraphs, lists with their numbers, tables, notes, links, text boxes. Comments
 * name what is omitted: headers, footers, comments, hidden and deleted text.
 *
 * @throws ExtractionError if the file is not RTF
 */
export function rtfText(bytes: Uint8Array, fileName: string, images: EmbeddedImages): string {
  const start = rtfStart(bytes);
  if (start < 0)
    throw new ExtractionError(phrase('unreadable.not', { name: fileName, kind: phrase('file_kind.rtf') }));
  const reader = new RtfReader(images);
  for (const token of rtfTokens(bytes.subarray(start))) reader.read(token);
  return reader.take();
}
