import { piecePhrase } from '#contracts/ledger-phrases.js';
import { englishText, phrase } from '#contracts/phrases/phrase.js';
import { hasWords } from '#contracts/text.js';
import type { Translate } from '#contracts/phrases/translator.js';
import { escapeInline, escapeLineStart } from '#markdown/escape.js';
import { markedAsOcr } from '#markdown/ocr.js';
import type { ReadByOcr } from '#contracts/inventory.js';
import { imageMarkdown } from '../inline-text.js';
import { leftOutMark, pageOf, withoutOnlyPicture } from '../left-out.js';
import { CERTAIN, type OcrParagraph, type OcrWord } from './recognize.js';

/** Words of one picture, or why they could not be read. */
export type PictureWords = { name: string } & ({ paragraphs: OcrParagraph[] } | { problem: string });

/** Lines below this mean certainty are shapes that are no letters; in a photo all are. */
const LEGIBLE = 60;

/**
 * Puts the words that OCR read behind the blocks that show their pictures, below a line that says so. Uncertain words
 * are in `<mark>`.
 *
 * @param text Markdown of a document
 * @param fileName the name from which those of the pictures are derived
 * @param translate renders the line for readers
 */
export function insertWords(
  text: string,
  fileName: string,
  pictures: readonly PictureWords[],
  translate: Translate = englishText,
): { text: string; read: ReadByOcr[] } {
  const open = new Map(pictures.map((picture) => [imageMarkdown(picture.name, '').slice(2), picture]));
  const read: ReadByOcr[] = [];
  const out: string[] = [];
  let pending: string[] = [];
  let page = { number: 0, at: -1 };
  for (const line of [...text.trimEnd().split('\n'), '']) {
    if (line.trim() === '') {
      for (const block of pending) out.push('', block);
      pending = [];
    }
    out.push(line);
    const number = pageOf(line);
    if (number !== null) page = { number, at: out.length - 1 };
    if (!line.includes('![')) continue;
    for (const [reference, picture] of open) {
      if (!line.includes(reference)) continue;
      open.delete(reference);
      const place = placeOf(picture.name, fileName, page.number);
      const block = blockOf(picture, place, read, translate);
      if (block === null) continue;
      pending.push(block);
      if (page.at >= 0 && 'paragraphs' in picture) out[page.at] = withoutOnlyPicture(out[page.at]!);
    }
  }
  return { text: `${out.join('\n').trim()}\n`, read };
}

/** Returns the page that shows a picture, or its number if the file has no pages. */
function placeOf(name: string, fileName: string, page: number): string {
  if (fileName.toLowerCase().endsWith('.pdf')) return `page ${Math.max(1, page)}`;
  return `picture ${Number.parseInt(name.slice(`${fileName}.image`.length), 10)}`;
}

/** @returns null for a picture without words */
function blockOf(
  picture: PictureWords,
  place: string,
  read: ReadByOcr[],
  translate: Translate,
): string | null {
  if ('problem' in picture) return leftOutMark('words of a picture', `${place} (${picture.problem})`);
  const isLegible = (line: OcrWord[]) =>
    meanCertainty(line) >= LEGIBLE && line.some(({ text }) => hasWords(text));
  const paragraphs = picture.paragraphs
    .map((lines) => lines.filter(isLegible))
    .filter(({ length }) => length > 0);
  const words = paragraphs.flat(2);
  if (words.length === 0) return null;
  const certainty = Math.floor(meanCertainty(words));
  const uncertain = words.filter((word) => word.certainty < CERTAIN).length;
  read.push({ place, lines: paragraphs.flat().length, certainty, uncertain });
  const markdown = paragraphs.map((lines) => lines.map(lineMarkdown).join('\n')).join('\n\n');
  const illegible = picture.paragraphs.flat().length - paragraphs.flat().length;
  const note = translate(phrase('appendix.line_by_ocr', { place: piecePhrase(place) ?? place, certainty }));
  const marked = markedAsOcr(`*${escapeInline(note)}*\n\n${markdown}`, { place, certainty });
  return illegible === 0
    ? marked
    : `${leftOutMark('lines that OCR cannot read', `${place}: ${illegible}`)}\n\n${marked}`;
}

const meanCertainty = (words: readonly OcrWord[]): number =>
  words.reduce((sum, { certainty }) => sum + certainty, 0) / words.length;

function lineMarkdown(words: readonly OcrWord[]): string {
  const parts = words.map(({ text, certainty }) =>
    certainty < CERTAIN ? `<mark>${escapeInline(text)}</mark>` : escapeInline(text),
  );
  return escapeLineStart(parts.join(' '));
}
