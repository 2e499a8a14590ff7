import { withoutSpaces } from '#contracts/text.js';
import type { PDFiumDocument, PDFiumPage } from '@hyzyla/pdfium';
import { InventoryError, type PieceList } from './piece.js';
import { hasLettersToLeft } from './words.js';

const MAX_PAGES = 5_000;
/** Numbers of PDFium for kinds of annotations and form fields. */
const LINK = 2;
const POPUP = 16;
const WIDGET = 20;
const CHOICES = new Set([4, 5]);
/** Buttons and boxes; their values are not shown as words. */
const WORDLESS = new Set([1, 2, 3]);

/** Stands for a letter that the file does not map to a character. */
const UNKNOWN = '\uffff';
const DINGBAT = /[\u260e\u261b\u261e\u2701-\u27be]/;
/** Codes by which fonts name ligatures, old-style digits and small capitals. */
const PRIVATE = /[\uf001\uf002\uf730-\uf739\uf761-\uf77a]/g;

/** Largest distance of letters that are drawn in one place, in points. */
const NEAR = 0.25;
/** Shift across a line, in heights of a letter, from which on a letter is raised or lowered; and the gap along it that parts words. */
const SHIFT = 0.12;
const GAP = 1.5;
/** Largest shift of a letter's shadow, and gap between letters of a word, in heights of a letter. */
const SHADOW = 0.12;
const WORD_GAP = 0.2;
/** Largest sine of the angle between two directions that count as one. */
const LEVEL = 0.01;
/** Accents, which fonts draw at heights of their own. */
const ACCENT = /[\p{M}\p{Sk}\u00b4\u00a8]/u;
/** Smallest distance to the left by which a letter after another one begins another part of a line; accents go back less. */
const FAR = 20;

/** Functions of PDFium that its package does not declare. Arguments and results are numbers or addresses. */
interface Engine {
  HEAPU8: Uint8Array;
  wasmExports: { malloc(bytes: number): number; free(address: number): void };
  [name: `_FPDF${string}`]: (...values: number[]) => number;
}

/**
 * Lists the pieces of a PDF: each line of each page, values of form fields, notes, bookmarks, names of attached files. Letters that a page
 * draws twice in one place, as for bold letters, count once.
 *
 * @throws InventoryError for a damaged or encrypted file, and for one with more than 5,000 pages
 */
export async function listPdf(bytes: Uint8Array, list: PieceList): Promise<void> {
  // PDFium is large, so it is loaded only when needed, and its memory is that of one file.
  const { PDFiumLibrary } = await import('@hyzyla/pdfium');
  const library = await PDFiumLibrary.init();
  const document = await library.loadDocument(fromHeader(bytes)).catch(() => {
    throw new InventoryError('it is damaged or encrypted');
  });
  try {
    const pages = document.getPageCount();
    if (pages > MAX_PAGES) throw new InventoryError(`it has more than ${MAX_PAGES} pages`);
    new PdfLister(library['module'] as unknown as Engine, document, list).read(pages);
  } finally {
    document.destroy();
    library.destroy();
  }
}

/** Bytes before the header are allowed; positions in the file count from the header. */
function fromHeader(bytes: Uint8Array): Uint8Array {
  const at = Buffer.from(bytes.subarray(0, 4_096)).indexOf('%PDF');
  return bytes.subarray(Math.max(0, at));
}

class PdfLister {
  private readonly document: number;
  private readonly form: number;

  constructor(
    private readonly engine: Engine,
    private readonly file: PDFiumDocument,
    private readonly list: PieceList,
  ) {
    this.document = file['documentIdx'];
    this.form = file.initializeFormFields();
  }

  read(pages: number): void {
    for (let index = 0; index < pages; index++) {
      const page = this.file.getPage(index);
      if (page['pageIdx'] === 0) throw new InventoryError(`page ${index + 1} cannot be read`);
      this.page(page, `page ${index + 1}`);
      this.call('_FPDF_ClosePage', page['pageIdx']);
    }
    this.bookmarks();
    for (let index = 0; index < this.call('_FPDFDoc_GetAttachmentCount', this.document); index++) {
      const file = this.call('_FPDFDoc_GetAttachment', this.document, index);
      const name = this.text('_FPDFAttachment_GetName', file);
      // The text names files without their folders.
      this.list.add({ place: 'attached file', text: name.slice(name.lastIndexOf('/') + 1) });
    }
  }

  private page(page: PDFiumPage, place: string): void {
    this.list.addLines(this.pageText(page), (line) => `${place}, line ${line}`);
    const count = this.call('_FPDFPage_GetAnnotCount', page['pageIdx']);
    for (let index = 0; index < count; index++) {
      const annotation = this.call('_FPDFPage_GetAnnot', page['pageIdx'], index);
      const kind = this.call('_FPDFAnnot_GetSubtype', annotation);
      if (kind === WIDGET) this.list.add({ place: `${place}, form field`, text: this.value(annotation) });
      else if (kind !== LINK && kind !== POPUP) this.note(annotation, page, place);
      this.call('_FPDFPage_CloseAnnot', annotation);
    }
  }

  /** Returns the text of a page without words of which the file does not say all letters: PDFium returns codes for these. */
  private pageText(page: PDFiumPage): string {
    const textPage = this.call('_FPDFText_LoadPage', page['pageIdx']);
    const count = this.call('_FPDFText_CountChars', textPage);
    const drawn = new DrawnLetters();
    const place = this.engine.wasmExports.malloc(4 * Float64Array.BYTES_PER_ELEMENT);
    let text = '';
    let word = '';
    let before: [number, number] = [NaN, NaN];
    let isAgain = false;
    let runsToLeft = false;
    // PDFium omits a letter that is drawn again at once, but not a word that is drawn again later.
    let isWordAgain = true;
    const endWord = (separator: string) => {
      text += (isWordAgain ? '' : shownPart(word)) + separator;
      [word, isWordAgain] = ['', true];
    };
    let end = -1;
    for (let index = 0; index <= count; index++) {
      const letter = index < count ? this.letter(textPage, index) : ' ';
      if (letter.trim() === '') {
        if (!this.isWithinTurnedWord(textPage, end, index, place)) endWord(letter);
        continue;
      }
      end = index;
      const [x, y] = this.originOf(textPage, index, place);
      // A page may draw the words of a line in any order; then each part in reading order is a line.
      runsToLeft ||= hasLettersToLeft(letter);
      const last = word.at(-1);
      const shape = this.shapeOf(textPage, index, place);
      const step: [number, number] = [x - before[0], y - before[1]];
      if (!runsToLeft && letter === last && isShadow(step, shape)) continue;
      if (last !== undefined && !ACCENT.test(last + letter) && isApart(step, shape)) endWord(' ');
      const isBack =
        word === '' ? x < before[0] - NEAR : x < before[0] - FAR && Math.abs(y - before[1]) < NEAR;
      if (!runsToLeft && isBack) {
        endWord('\n');
      }
      // The letters of a ligature have one origin.
      if (x !== before[0] || y !== before[1])
        isAgain = drawn.has(letter, x, y, Math.max(NEAR, SHADOW * shape.height));
      isWordAgain &&= isAgain;
      drawn.add(letter, x, y);
      before = [x, y];
      word += letter;
    }
    this.engine.wasmExports.free(place);
    this.call('_FPDFText_ClosePage', textPage);
    return text;
  }

  private letter(textPage: number, index: number): string {
    const isUnknown = this.call('_FPDFText_HasUnicodeMapError', textPage, index) === 1;
    const code = this.call('_FPDFText_GetUnicode', textPage, index);
    if (isUnknown || code > 0x10ffff) return UNKNOWN;
    const letter = String.fromCodePoint(code);
    // PDFium takes names such as `a39` for signs of Dingbats in all fonts.
    const isMisnamed = DINGBAT.test(letter) && !/Dingbat/i.test(this.fontOf(textPage, index));
    return isMisnamed ? UNKNOWN : letter;
  }

  private fontOf(textPage: number, index: number): string {
    const length = this.call('_FPDFText_GetFontInfo', textPage, index, 0, 0, 0);
    const address = this.engine.wasmExports.malloc(length);
    this.call('_FPDFText_GetFontInfo', textPage, index, address, length, 0);
    const name = Buffer.from(this.engine.HEAPU8.subarray(address, address + length)).toString('latin1');
    this.engine.wasmExports.free(address);
    return name;
  }

  /** Returns where a letter begins, in points. @param place address for two numbers */
  private originOf(textPage: number, index: number, place: number): [x: number, y: number] {
    this.call('_FPDFText_GetCharOrigin', textPage, index, place, place + Float64Array.BYTES_PER_ELEMENT);
    const [x, y] = new Float64Array(this.engine.HEAPU8.buffer.slice(place, place + 16));
    return [x!, y!];
  }

  /** @param place address for two numbers */
  private shapeOf(textPage: number, index: number, place: number): Shape {
    this.call('_FPDFText_GetMatrix', textPage, index, place);
    const [a, b] = new Float32Array(this.engine.HEAPU8.buffer.slice(place, place + 8));
    const scale = Math.hypot(a!, b!);
    const height = scale * this.call('_FPDFText_GetFontSize', textPage, index);
    return { a: a! / scale, b: b! / scale, height };
  }

  /** Returns whether white space after a letter is PDFium's, which parts all letters of words that run up or down the page. */
  private isWithinTurnedWord(textPage: number, last: number, blank: number, place: number): boolean {
    if (last < 0) return false;
    const { a, b, height } = this.shapeOf(textPage, last, place);
    if (Math.abs(a) > LEVEL) return false;
    let next = blank;
    while (this.call('_FPDFText_IsGenerated', textPage, next) === 1) next++;
    if (this.letter(textPage, next).trim() === '') return false;
    if (Math.abs(this.shapeOf(textPage, next, place).b - b) > LEVEL) return false;
    const [x, y] = this.originOf(textPage, next, place);
    const [lastX] = this.originOf(textPage, last, place);
    this.call('_FPDFText_GetCharBox', textPage, last, place, place + 8, place + 16, place + 24);
    const [, , bottom, top] = new Float64Array(this.engine.HEAPU8.buffer.slice(place, place + 32));
    const gap = b > 0 ? y - top! : bottom! - y;
    return Math.abs(x - lastX) < NEAR && Math.abs(gap) < WORD_GAP * height;
  }

  /** Lists the words of a note, and those that it draws if they differ. */
  private note(annotation: number, page: PDFiumPage, place: string): void {
    const note = this.keyText(annotation, 'Contents');
    const drawn = this.drawnText(annotation, page);
    this.list.add({ place: `${place}, note`, text: note });
    if (withoutSpaces(drawn) !== withoutSpaces(note)) this.list.add({ place: `${place}, note`, text: drawn });
  }

  private drawnText(annotation: number, page: PDFiumPage): string {
    const textPage = this.call('_FPDFText_LoadPage', page['pageIdx']);
    const texts: string[] = [];
    for (let index = 0; index < this.call('_FPDFAnnot_GetObjectCount', annotation); index++) {
      const object = this.call('_FPDFAnnot_GetObject', annotation, index);
      texts.push(
        this.written((at, length) => this.call('_FPDFTextObj_GetText', object, textPage, at, length)),
      );
    }
    this.call('_FPDFText_ClosePage', textPage);
    return texts.join(' ');
  }

  private value(annotation: number): string {
    const type = this.call('_FPDFAnnot_GetFormFieldType', this.form, annotation);
    if (WORDLESS.has(type) || this.keyText(annotation, 'FT') === 'Btn') return '';
    const labels: string[] = [];
    const options = CHOICES.has(type) ? this.call('_FPDFAnnot_GetOptionCount', this.form, annotation) : 0;
    for (let index = 0; index < options; index++)
      if (this.call('_FPDFAnnot_IsOptionSelected', this.form, annotation, index) === 1)
        labels.push(this.text('_FPDFAnnot_GetOptionLabel', this.form, annotation, index));
    // A field that the form of the file does not list has only its own value.
    return (
      labels.join(' ') ||
      this.text('_FPDFAnnot_GetFormFieldValue', this.form, annotation) ||
      this.keyText(annotation, 'V')
    );
  }

  /** Lists bookmarks as table of contents, because they repeat the headings. */
  private bookmarks(): void {
    const open = [this.call('_FPDFBookmark_GetFirstChild', this.document, 0)];
    const seen = new Set<number>();
    for (let bookmark = open.pop(); bookmark !== undefined; bookmark = open.pop()) {
      if (bookmark === 0 || seen.has(bookmark)) continue;
      seen.add(bookmark);
      this.list.add({
        place: 'bookmarks',
        text: this.text('_FPDFBookmark_GetTitle', bookmark),
        isContents: true,
      });
      open.push(this.call('_FPDFBookmark_GetNextSibling', this.document, bookmark));
      open.push(this.call('_FPDFBookmark_GetFirstChild', this.document, bookmark));
    }
  }

  private call(name: `_FPDF${string}`, ...values: number[]): number {
    return this.engine[name]!(...values);
  }

  private text(name: `_FPDF${string}`, ...values: number[]): string {
    return this.written((at, length) => this.call(name, ...values, at, length));
  }

  private keyText(annotation: number, key: string): string {
    const name = this.engine.wasmExports.malloc(key.length + 1);
    this.engine.HEAPU8.set([...Buffer.from(key), 0], name);
    const text = this.text('_FPDFAnnot_GetStringValue', annotation, name);
    this.engine.wasmExports.free(name);
    return text;
  }

  /** Returns the UTF-16 text that a function writes to an address; it returns the length in bytes, with a final 0. */
  private written(write: (address: number, bytes: number) => number): string {
    const bytes = write(0, 0);
    if (bytes <= 2) return '';
    const address = this.engine.wasmExports.malloc(bytes);
    write(address, bytes);
    const text = new TextDecoder('utf-16le').decode(
      this.engine.HEAPU8.subarray(address, address + bytes - 2),
    );
    this.engine.wasmExports.free(address);
    return text;
  }
}

/** Direction of a letter as a unit vector, and its height. */
interface Shape {
  a: number;
  b: number;
  height: number;
}

/** Returns whether a letter is raised, lowered or far from the letter before it. PDFium joins both to a word. */
function isApart([right, up]: [number, number], { a, b, height }: Shape): boolean {
  return Math.abs(up * a - right * b) > SHIFT * height || right * a + up * b > GAP * height;
}

/** Returns whether a letter repeats the same letter before it, as its shadow or to make it bold. The letters of a ligature have one origin. */
function isShadow([right, up]: [number, number], { height }: Shape): boolean {
  const shift = Math.max(Math.abs(right), Math.abs(up));
  return shift > 0 && shift < SHADOW * height;
}

/** Edge of the squares by which places of letters are compared, in points, and most places in one. */
const SQUARE = 16;
const MOST_PLACES = 16;

/** Places where a page draws letters. */
class DrawnLetters {
  private readonly places = new Map<string, [number, number][]>();

  add(letter: string, x: number, y: number): void {
    const key = this.keyOf(letter, x, y);
    const own = this.places.get(key);
    if (!own) this.places.set(key, [[x, y]]);
    else if (own.push([x, y]) > MOST_PLACES) own.shift();
  }

  /** Returns whether a letter was drawn at most so far away in each direction. */
  has(letter: string, x: number, y: number, distance: number): boolean {
    const reach = Math.min(distance, SQUARE / 2);
    return [x - reach, x + reach].some((left) =>
      [y - reach, y + reach].some((base) =>
        this.places
          .get(this.keyOf(letter, left, base))
          ?.some((place) => Math.abs(place[0] - x) <= reach && Math.abs(place[1] - y) <= reach),
      ),
    );
  }

  private keyOf(letter: string, x: number, y: number): string {
    return `${letter} ${Math.floor(x / SQUARE)} ${Math.floor(y / SQUARE)}`;
  }
}

/** Returns a word of which all letters are known, or the digits of a number; ' ' for another one. */
function shownPart(word: string): string {
  const known = word.replaceAll(UNKNOWN, '');
  return known === word || /^\d[\d.]*$/.test(known) ? known.replace(PRIVATE, ordinaryLetter) : ' ';
}

const ordinaryLetter = (letter: string): string =>
  letter < '\uf700'
    ? { '\uf001': 'fi', '\uf002': 'fl' }[letter]!
    : String.fromCharCode(letter.charCodeAt(0) - 0xf700).toUpperCase();
