import { ExtractionError } from '../errors.js';
import { pagesMarkdown } from './markdown.js';
import { BoldFonts, type FontedPage } from './bold-fonts.js';
import type { DrawnPiece } from './page.js';

const MAX_PAGES = 5000;

/** The text of a PDF as markdown: headings by the size of letters, paragraphs, lists, columns one after the other; see `pagesMarkdown`. */
export async function pdfText(bytes: Uint8Array, fileName: string): Promise<string> {
  const fonts = new BoldFonts();
  const pages = await readPages(bytes, fileName, async (items, size, page) => {
    const bold = await fonts.on(page, items);
    return { ...size, pieces: items.flatMap((item) => pieceOf(item, bold)) };
  });
  return pagesMarkdown(pages);
}

/**
 * The text of a PDF, page by page, in the order in which the file draws it. Throws ExtractionError for a damaged, encrypted or oversized
 * file, and for one that holds pictures only.
 */
export async function pdfPages(bytes: Uint8Array, fileName: string): Promise<string[]> {
  const pages = await readPages(bytes, fileName, (items, size) =>
    Promise.resolve({ ...size, pieces: items }),
  );
  return pages.map(({ pieces: items }) => items.map((item) => item.str + (item.hasEOL ? '\n' : '')).join(''));
}

/** A piece of text as pdf.js gives it: `transform` holds its direction and size (the first two) and the place of its baseline (the last two). */
interface PdfItem {
  str: string;
  transform: number[];
  width: number;
  fontName: string;
  hasEOL: boolean;
}

async function readPages<Page>(
  bytes: Uint8Array,
  fileName: string,
  read: (items: PdfItem[], size: { width: number; height: number }, page: FontedPage) => Promise<Page>,
): Promise<Page[]> {
  // pdf.js is large, so it is loaded only when a PDF comes.
  const { getDocumentProxy } = await import('unpdf');
  // It takes the buffer over and refuses a Buffer of Node, hence the copy.
  const document = await getDocumentProxy(new Uint8Array(bytes), {
    isEvalSupported: false,
    disableFontFace: true,
    // Pictures are not looked at.
    maxImageSize: 1,
    verbosity: 0,
  }).catch((error: unknown) => {
    const reason =
      error instanceof Error && error.name === 'PasswordException' ? 'it is encrypted' : 'it cannot be read';
    throw new ExtractionError(`${fileName}: ${reason}`);
  });
  try {
    if (document.numPages > MAX_PAGES)
      throw new ExtractionError(`${fileName} has more than ${MAX_PAGES} pages`);
    const pages: Page[] = [];
    let words = false;
    for (let number = 1; number <= document.numPages; number++) {
      const page = await document.getPage(number);
      const content = await page.getTextContent();
      const items = (content.items as Partial<PdfItem>[]).filter(isText);
      words ||= items.some(({ str }) => str.trim() !== '');
      const [left = 0, bottom = 0, right = 0, top = 0] = page.view;
      pages.push(await read(items, { width: right - left, height: top - bottom }, page));
      page.cleanup();
    }
    if (!words)
      throw new ExtractionError(`${fileName} holds no text, only pictures; run text recognition on it first`);
    return pages;
  } finally {
    await document.destroy();
  }
}

function isText(item: Partial<PdfItem>): item is PdfItem {
  return typeof item.str === 'string';
}

function pieceOf({ str, transform, width, fontName }: PdfItem, boldFonts: ReadonlySet<string>): DrawnPiece[] {
  const [a = 0, b = 0, , , x = 0, y = 0] = transform;
  const degrees = (Math.round((Math.atan2(b, a) * 180) / Math.PI) + 360) % 360;
  return str.trim() === ''
    ? []
    : [{ text: str, x, y, width, size: Math.hypot(a, b), degrees, bold: boldFonts.has(fontName) }];
}
