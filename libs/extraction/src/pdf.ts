import { escapeText } from '#markdown/escape.js';
import { ExtractionError } from './errors.js';

const MAX_PAGES = 5000;

/** The text of a PDF as markdown; see `pdfPages`. */
export async function pdfText(bytes: Uint8Array, fileName: string): Promise<string> {
  const pages = (await pdfPages(bytes, fileName)).map((page) => escapeText(page).replace(/^\n+|\n+$/g, ''));
  return `${pages.filter((page) => page !== '').join('\n\n')}\n`;
}

/**
 * The text of a PDF, page by page, in the order in which the file draws it. Throws ExtractionError for a damaged, encrypted or oversized
 * file, and for one that holds pictures only.
 */
export async function pdfPages(bytes: Uint8Array, fileName: string): Promise<string[]> {
  // pdf.js is large, so it is loaded only when a PDF comes.
  const { getDocumentProxy } = await import('unpdf');
  // It takes the buffer over and refuses a Buffer of Node, hence the copy.
  const document = await getDocumentProxy(new Uint8Array(bytes), {
    isEvalSupported: false,
    disableFontFace: true,
    verbosity: 0,
  }).catch((error: unknown) => {
    const reason =
      error instanceof Error && error.name === 'PasswordException' ? 'it is encrypted' : 'it cannot be read';
    throw new ExtractionError(`${fileName}: ${reason}`);
  });
  try {
    if (document.numPages > MAX_PAGES)
      throw new ExtractionError(`${fileName} has more than ${MAX_PAGES} pages`);
    const pages: string[] = [];
    for (let number = 1; number <= document.numPages; number++) {
      const page = await document.getPage(number);
      const { items } = await page.getTextContent();
      pages.push(pageText(items));
      page.cleanup();
    }
    if (pages.every((page) => page.trim() === ''))
      throw new ExtractionError(`${fileName} holds no text, only pictures; run text recognition on it first`);
    return pages;
  } finally {
    await document.destroy();
  }
}

function pageText(items: object[]): string {
  let text = '';
  for (const item of items) {
    if ('str' in item) text += String(item.str) + ('hasEOL' in item && item.hasEOL ? '\n' : '');
  }
  return text;
}
