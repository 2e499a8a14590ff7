import type { getDocumentProxy as openPdf } from 'unpdf';
import { PdfLetters } from './pdf-letters.js';
import { InventoryError, type PieceList } from './piece.js';

const MAX_PAGES = 5_000;
/** Maximum distance of two drawings of the same words that look bold, relative to the font size. */
const SAME_PLACE = 0.2;
/** Minimum distance of two words, relative to the font size. */
const WORD_GAP = 0.15;

/** Number of texts that may be drawn between two drawings of the same words. */
const MOST_COMPARED = 400;

/** Words and numbers without letters of right-to-left scripts. */
const WORD_TO_RIGHT = /(?<![\p{L}\p{N}])(?:(?![\u0590-\u08ff])[\p{L}\p{N}])+(?![\p{L}\p{N}])/gu;
/** Vowel marks, which a page draws as separate letters above or below their letters. */
const MARK_TO_LEFT = /^\s*[\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed]+$/;

type PDFDocumentProxy = Awaited<ReturnType<typeof openPdf>>;

interface Drawn {
  str: string;
  transform: number[];
  width: number;
  fontName: string;
  dir: string;
  hasEOL: boolean;
}

interface Placed {
  str: string;
  x: number;
  right: number;
  y: number;
}

interface Bookmark {
  title: string;
  items: Bookmark[];
}

interface Attachment {
  filename?: string;
  description?: string;
}

/** Annotation of a page, as returned by pdf.js. */
interface Annotation {
  subtype?: string;
  fieldValue?: unknown;
  fieldType?: string;
  hidden?: boolean;
  contentsObj?: { str?: string };
  textContent?: string[];
  checkBox?: boolean;
  radioButton?: boolean;
}

/**
 * Lists the pieces of a PDF: each drawn line of each page, values of form fields, notes, bookmarks, names of attached files. Words that are drawn twice in one place, as for
 * bold letters, are listed once and named as said twice.
 *
 * @throws InventoryError for a damaged or encrypted file, and for one with more than 5,000 pages
 */
export async function listPdf(bytes: Uint8Array, list: PieceList): Promise<void> {
  // pdf.js is large, so it is loaded only when needed.
  const { getDocumentProxy } = await import('unpdf');
  const fonts = { disableFontFace: true, fontExtraProperties: true };
  const settings = { isEvalSupported: false, ...fonts, maxImageSize: 1, verbosity: 0 };
  const letters = new PdfLetters();
  const document = await getDocumentProxy(fromHeader(bytes), settings).catch(() => {
    throw new InventoryError('it is damaged or encrypted');
  });
  try {
    if (document.numPages > MAX_PAGES) throw new InventoryError(`it has more than ${MAX_PAGES} pages`);
    for (let number = 1; number <= document.numPages; number++) {
      const { lines, drawn, annotations } = await readPage(document, number, letters).catch(() => {
        throw new InventoryError(`page ${number} cannot be read`);
      });
      if (drawn === null) listLines(lines, list, `page ${number}`);
      else list.addLines(drawn, (line) => `page ${number}, drawn line ${line}`);
      listAnnotations(annotations, list, `page ${number}`);
    }
    await listRest(document, list);
  } finally {
    await document.destroy();
  }
}

/** Lists the bookmarks as table of contents, because they repeat the headings. */
async function listRest(document: PDFDocumentProxy, list: PieceList): Promise<void> {
  const open: Bookmark[] = (await document.getOutline().catch(() => null)) ?? [];
  for (let bookmark = open.shift(); bookmark; bookmark = open.shift()) {
    list.add({ place: 'bookmarks', text: bookmark.title, isContents: true });
    open.unshift(...bookmark.items);
  }
  const files: unknown = await document.getAttachments().catch(() => null);
  for (const { filename, description } of Object.values((files ?? {}) as Record<string, Attachment>))
    list.add({ place: 'attached file', text: `${filename ?? ''} ${description ?? ''}` });
}

interface ReadPage {
  lines: Partial<Drawn>[];
  /** Text in lines as the page draws it; null where the lines have all letters. */
  drawn: string | null;
  annotations: Annotation[];
}

async function readPage(document: PDFDocumentProxy, number: number, letters: PdfLetters): Promise<ReadPage> {
  const { OPS } = await (await import('unpdf')).getResolvedPDFJS();
  const page = await document.getPage(number);
  const lines = (await page.getTextContent()).items as Partial<Drawn>[];
  const fonts = new Set(lines.flatMap(({ fontName }) => fontName ?? []));
  await letters.learn(page, fonts);
  const drawn = letters.hasHiddenLetters(fonts) ? await letters.drawnText(page, OPS) : null;
  for (const line of lines)
    if (line.str !== undefined && line.fontName !== undefined)
      line.str = asDrawn(letters.restore(line.str, line.fontName), line.dir);
  const annotations = (await page.getAnnotations()) as Annotation[];
  page.cleanup();
  return { lines, drawn, annotations };
}

/** Returns text of right-to-left scripts as it is drawn, from left to right, since its parts may be single letters. */
const asDrawn = (text: string, direction: string | undefined): string =>
  direction === 'rtl'
    ? reversed(text.normalize('NFKC')).replace(WORD_TO_RIGHT, (word) => reversed(word))
    : text;

const reversed = (text: string): string => [...text].reverse().join('');

/** Bytes before the header are allowed; positions in the file count from the header. */
function fromHeader(bytes: Uint8Array): Uint8Array {
  const at = Buffer.from(bytes.subarray(0, 4_096)).indexOf('%PDF');
  return new Uint8Array(bytes.subarray(Math.max(0, at)));
}

/** Restores mathematical letters such as U+1D703, which pdf.js cuts to four digits, the code of a Korean syllable. */
function uncut(str: string): string {
  return str
    .replace(/[\ud400-\ud7ff]/g, (letter) => String.fromCodePoint(0x10000 + letter.charCodeAt(0)))
    .replace(/[\uf001\uf002]/g, (letter) => (letter === '\uf001' ? 'fi' : 'fl'))
    .replace(/[\uf730-\uf739\uf761-\uf77a]/g, (letter) =>
      String.fromCodePoint(letter.charCodeAt(0) - 0xf700).toUpperCase(),
    );
}

function listLines(items: readonly Partial<Drawn>[], list: PieceList, page: string): void {
  const isKorean = items.some(({ str = '' }) => /[\uac00-\ud3ff]/.test(str));
  const drawn: Placed[] = [];
  let line = '';
  let count = 0;
  const end = () => {
    count += 1;
    list.add({ place: `${page}, line ${count}`, text: line });
    line = '';
  };
  let last: Partial<Drawn> = {};
  let before = '';
  for (const item of items) {
    const { str, transform, hasEOL } = item;
    if (str === undefined || transform === undefined) continue;
    const isMark = MARK_TO_LEFT.test(str);
    // pdf.js returns a blank behind a mark.
    if (str === ' ' && item.width! < 1 && MARK_TO_LEFT.test(before)) continue;
    before = str;
    if (!isMark && isApart(last, item)) line += ' ';
    if (!isMark) last = item;
    const again = drawnBefore(item, drawn);
    if (again !== '') list.add({ place: page, text: again, again: 'drawn twice in one place' });
    line += isKorean ? str.slice(again.length) : uncut(str.slice(again.length));
    if (hasEOL) end();
  }
  end();
}

/** Returns whether two drawn texts are visibly separate: on different lines, or with a gap between them. */
function isApart(before: Partial<Drawn>, { transform: next = [] }: Partial<Drawn>): boolean {
  const { transform = [], width = 0 } = before;
  const [a = 0, b = 0, , , x = 0, y = 0] = transform;
  const size = Math.hypot(a, b) || 1;
  // The end of the first text, in its direction.
  const [endX, endY] = [x + (a / size) * width, y + (b / size) * width];
  return Math.hypot((next[4] ?? 0) - endX, (next[5] ?? 0) - endY) > size * WORD_GAP;
}

/** Returns the part of a text that the page already drew in the same place: its beginning, all of it, or ''. */
function drawnBefore({ str = '', transform = [], width = 0 }: Partial<Drawn>, drawn: Placed[]): string {
  if (str.trim() === '') return '';
  const [a = 0, b = 0, , , x = 0, y = 0] = transform;
  const near = Math.hypot(a, b) * SAME_PLACE;
  const isNear = (one: number, other: number) => Math.abs(one - other) <= near;
  const before = drawn.find(
    (each) =>
      isNear(each.y, y) &&
      ((isNear(each.x, x) && str.startsWith(each.str)) ||
        (isNear(each.right, x + width) && each.str.endsWith(str))),
  );
  if (before?.str !== str) drawn.push({ str, x, right: x + width, y });
  // The second drawing follows soon, so that a page is not searched in full.
  if (drawn.length > MOST_COMPARED) drawn.shift();
  return before === undefined ? '' : str.slice(0, before.str.length);
}

function listAnnotations(annotations: readonly Annotation[], list: PieceList, page: string): void {
  for (const { subtype, fieldValue, contentsObj, textContent, checkBox, radioButton } of annotations) {
    if (subtype === 'Link' || subtype === 'Popup') continue;
    if (subtype === 'Widget') {
      const values = Array.isArray(fieldValue) ? fieldValue : [fieldValue];
      const words = values.filter((value) => typeof value === 'string').join(' ');
      if (!checkBox && !radioButton) list.add({ place: `${page}, form field`, text: words });
      continue;
    }
    const note = contentsObj?.str ?? '';
    list.add({ place: `${page}, note`, text: note });
    const drawn = (textContent ?? []).join(' ');
    if (drawn !== '' && drawn.replace(/\s/g, '') !== note.replace(/\s/g, ''))
      list.add({ place: `${page}, note`, text: drawn });
  }
}
