import { phrase } from '#contracts/phrases/phrase.js';
import type { EmbeddedImages } from '../embedded-images.js';
import { ExtractionError } from '../errors.js';
import { imageMarkdown } from '../inline-text.js';
import { ONLY_PICTURE } from '../left-out.js';
import {
  composeAccents,
  joinGlyphs,
  withMarks,
  withoutRepeatedLetters,
  withoutRepeatedWords,
} from './shown-text.js';
import { fileMarks, type PdfDocument, readAnnotations } from './annotations.js';
import { pagesMarkdown } from './markdown.js';
import {
  BoldFonts,
  CharacterMaps,
  DrawingPage,
  type Layers,
  type Operators,
  type PdfItem,
  type PdfPageProxy,
} from './pdfjs.js';
import { readDrawing, type Drawing } from './read-drawing.js';
import { NamedGlyphs, restoreMathLetters } from './glyph-names.js';
import type { DrawnPage, DrawnPiece } from './page.js';
import { mayShowPictures, type Picture, readPictures } from './pictures.js';
import type { Rule } from './rules.js';
import { tagsOf } from './tags.js';

const MAX_PAGES = 5000;
/** Codes of letters without characters; each page reports their number. */
const CONTROL_CODES = /[\0-\x08\x0b\x0c\x0e-\x1f]+/g;

/** Number of bytes at the start of a file among which readers look for the header of a PDF. */
const HEAD_BYTES = 1_024;

/** Returns whether a file is a PDF: its header may follow other bytes, such as a byte order mark. */
export function isPdf(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, HEAD_BYTES)).includes('%PDF');
}

/**
 * Returns the text of a PDF as Markdown, with headings detected by font size, paragraphs, lists, and columns
 * in reading order; see `pagesMarkdown`.
 *
 * @throws ExtractionError for a damaged, encrypted or oversized file, and for one without visible text
 */
export async function pdfText(bytes: Uint8Array, fileName: string, images: EmbeddedImages): Promise<string> {
  const fonts = new BoldFonts();
  const glyphs = new NamedGlyphs();
  let marks: string[] = [];
  const readMarks = async (document: PdfDocument) => void (marks = await fileMarks(document));
  const readPage = async (page: PdfPageProxy, operators: Operators, layers: Layers) => {
    const drawing = new DrawingPage(page);
    const drawn = await readDrawing(drawing, operators, glyphs, layers);
    const items = restoreMathLetters(await shownItems(page, drawn));
    const annotated = readAnnotations(await drawing.annotations(), drawn.annotations, items);
    const [own, off] = partOff(annotated.items, page.view);
    const bold = await fonts.on(drawing, [...items, ...own]);
    const [left = 0, bottom = 0, right = 0, top = 0] = page.view;
    const piecesOf = (from: PdfItem[]) => from.flatMap((item) => pieceOf(item, bold, { left, bottom }));
    const pieces = piecesOf([...items, ...own]);
    const unseen = {
      'off the page': piecesOf(withoutRepeatedWords([...drawn.offPage, ...off])),
      'layer that is switched off': piecesOf(drawn.switchedOff),
    };
    const named = [...annotated.named, ...nameUnnamed(drawn)];
    const rules = drawn.rules.map((rule) => movedRule(rule, { left, bottom }));
    const tags = tagsOf(await page.getStructTree().catch(() => null));
    const corner = { left, bottom };
    return { width: right - left, height: top - bottom, corner, pieces, unseen, named, rules, tags };
  };
  const pages = await readPages(bytes, fileName, readPage, readMarks);
  const isWordless = pages.every(({ pieces }) => pieces.length === 0);
  if (isWordless && !images.areRead) throw withoutText(pages, fileName);
  const before = images.found.length;
  const pictures =
    images.areRead || mayShowPictures(bytes) ? await readPictures(bytes, pages, images.areRead) : [];
  if (pictures === null) pages[0]!.named.push('pictures of this file, which could not be searched for');
  const text = pagesMarkdown(pages.map((page, at) => pageWithPictures(page, pictures?.[at] ?? [], images)));
  if (isWordless && images.found.length === before) {
    const isTooLarge = pictures?.flat().some(({ bytes: content, isDecoration }) => !content && !isDecoration);
    throw isTooLarge
      ? new ExtractionError(phrase('unreadable.pictures_too_large', { name: fileName }))
      : withoutText(pages, fileName);
  }
  images.hasOnlyImages = isWordless;
  return marks.length === 0 ? text : `${text}\n${marks.join('\n\n')}\n`;
}

function withoutText(pages: readonly Pick<DrawnPage, 'unseen' | 'named'>[], name: string): ExtractionError {
  const hasUnseen = pages.some(({ unseen, named = [] }) =>
    [...Object.values(unseen ?? {}), named].some(({ length }) => length > 0),
  );
  return new ExtractionError(
    hasUnseen ? phrase('unreadable.text_off_pages', { name }) : phrase('unreadable.no_text_in_pdf', { name }),
  );
}

/** Adds the pictures of a page: those that are carried at their places, and the number of the others. */
function pageWithPictures<Page extends DrawnPage & { corner: { left: number; bottom: number } }>(
  page: Page,
  pictures: readonly Picture[],
  images: EmbeddedImages,
): Page {
  const on = pictures
    .map((picture) => ({ ...picture, ...movedRule(picture, page.corner) }))
    .filter(({ x, right, y, top }) => right > 0 && x < page.width && top > 0 && y < page.height);
  const carried = on.flatMap(({ bytes, ending, ...place }) =>
    bytes !== null && images.hasRoom
      ? [{ ...place, markdown: imageMarkdown(images.add(bytes, ending), '') }]
      : [],
  );
  const decoration = on.filter(({ isDecoration }) => isDecoration).length;
  const others = on.length - carried.length - decoration;
  const named = [
    ...(carried.some(({ isPage }) => isPage || page.pieces.length === 0) ? [ONLY_PICTURE] : []),
    ...(decoration > 0 ? [`pictures that only decorate the page: ${decoration}`] : []),
    ...(others > 0 ? [`pictures that are too large or too many: ${others}`] : []),
  ];
  return { ...page, pictures: carried, named: [...(page.named ?? []), ...named] };
}

/**
 * Returns the visible text of a PDF by page, in drawing order.
 *
 * @throws ExtractionError for a damaged, encrypted or oversized file
 */
export async function pdfPages(bytes: Uint8Array, fileName: string): Promise<string[]> {
  return readPages(bytes, fileName, async (page) =>
    (await reportedItems(page)).map((item) => item.str + (item.hasEOL ? '\n' : '')).join(''),
  );
}

/** Returns the text items of a page, each text once: from its drawing if possible, otherwise from pdf.js. */
async function shownItems(
  page: PdfPageProxy,
  { shown, rules, hasLettersToLeft }: Drawing,
): Promise<PdfItem[]> {
  if (shown === null) return withoutRepeatedWords(await reportedItems(page));
  const composed = composeAccents(withoutRepeatedLetters(shown));
  const glyphs = hasLettersToLeft ? withMarks(composed) : composed;
  return withoutRepeatedWords(joinGlyphs(glyphs, rules, hasLettersToLeft));
}

/** Returns the text items that pdf.js reports. */
async function reportedItems(page: PdfPageProxy): Promise<PdfItem[]> {
  const { items } = await page.getTextContent();
  return (items as Partial<PdfItem>[]).filter(isText);
}

function nameUnnamed({ unnamed }: Drawing): string[] {
  return unnamed === 0 ? [] : [`letters that the file does not map to characters: ${unnamed}`];
}

function movedRule({ x, right, y, top }: Rule, corner: { left: number; bottom: number }): Rule {
  const { left, bottom } = corner;
  return { x: x - left, right: right - left, y: y - bottom, top: top - bottom };
}

async function readPages<Page>(
  bytes: Uint8Array,
  fileName: string,
  read: (page: PdfPageProxy, operators: Operators, layers: Layers) => Promise<Page>,
  readFile: (document: PdfDocument) => Promise<void> = () => Promise.resolve(),
): Promise<Page[]> {
  // pdf.js is large, so it is loaded only when needed.
  const { getDocumentProxy, getResolvedPDFJS } = await import('unpdf');
  // pdf.js takes ownership of the buffer and rejects a Node Buffer, hence the copy.
  const document = await getDocumentProxy(new Uint8Array(bytes), {
    isEvalSupported: false,
    disableFontFace: true,
    // Pictures are not used.
    maxImageSize: 1,
    // Encodings, and the programs of fonts with the names of their glyphs.
    fontExtraProperties: true,
    CMapReaderFactory: CharacterMaps,
    verbosity: 0,
  }).catch((error: unknown) => {
    const isEncrypted = error instanceof Error && error.name === 'PasswordException';
    const code = isEncrypted ? 'unreadable.encrypted_pdf' : 'unreadable.pdf';
    throw new ExtractionError(phrase(code, { name: fileName }));
  });
  const { OPS: operators } = await getResolvedPDFJS();
  try {
    if (document.numPages > MAX_PAGES)
      throw new ExtractionError(phrase('unreadable.too_many_pages', { name: fileName, max: MAX_PAGES }));
    const layers = (await document.getOptionalContentConfig()) as Layers;
    const pages: Page[] = [];
    for (let number = 1; number <= document.numPages; number++) {
      const page = await document.getPage(number);
      pages.push(await read(page, operators, layers));
      page.cleanup();
    }
    await readFile(document);
    return pages;
  } finally {
    await document.destroy();
  }
}

function isText(item: Partial<PdfItem>): item is PdfItem {
  return typeof item.str === 'string';
}

/** Separates items within the visible area of the page from those outside. */
function partOff(items: readonly PdfItem[], view: readonly number[]): [PdfItem[], PdfItem[]] {
  const [left = 0, bottom = 0, right = 0, top = 0] = view;
  const isOn = ({ transform: [, , , , x = 0, y = 0], width }: PdfItem) =>
    x + width >= left && x <= right && y >= bottom && y <= top;
  return [items.filter(isOn), items.filter((item) => !isOn(item))];
}

/** @param corner lower left corner of the visible area, the new origin */
function pieceOf(
  { str, transform, width, fontName, rise, struck, mark = null }: PdfItem,
  boldFonts: ReadonlySet<string>,
  { left, bottom }: { left: number; bottom: number },
): DrawnPiece[] {
  const [a = 0, b = 0, c = 0, d = 0, x = 0, y = 0] = transform;
  const degrees = (Math.round((Math.atan2(b, a) * 180) / Math.PI) + 360) % 360;
  // The height, because programs stretch the letters of a line to its width.
  const [size, bold] = [Math.hypot(c, d) || Math.hypot(a, b), boldFonts.has(fontName)];
  const text = str.replace(CONTROL_CODES, '');
  if (text.trim() === '') return [];
  const piece: DrawnPiece = { text, x: x - left, y: y - bottom, width, size, degrees, bold };
  if (rise) piece.rise = rise;
  if (struck) piece.struck = true;
  if (mark !== null) piece.mark = mark;
  return [piece];
}
