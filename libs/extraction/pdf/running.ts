import type { PdfPage } from './page.js';
import type { TextLine } from './text-line.js';

/** Height of the areas for headers and footers, relative to the page height. */
const EDGE = 0.11;
/** Share of the pages on which a line must recur to be a header or footer. */
const ON_PAGES = 0.5;

/** Lines of a page. */
interface PageLines {
  /** Lines of the page's own text. */
  own: TextLine[];
  /** Lines of the running header and footer. */
  running: TextLine[];
}

/**
 * Separates headers and footers, including page numbers: lines with the same text, ignoring numbers, at the
 * same place on most pages. In documents of fewer than three pages none are detected.
 */
export function partRunning(pages: readonly { page: PdfPage; lines: TextLine[] }[]): PageLines[] {
  const counts = new Map<string, Set<number>>();
  pages.forEach(({ page, lines }, number) => {
    for (const key of lines.flatMap((line) => keysOf(line, page)))
      counts.set(key, (counts.get(key) ?? new Set()).add(number));
  });
  const least = Math.max(3, pages.length * ON_PAGES);
  const runs = (line: TextLine, page: PdfPage): boolean =>
    keysOf(line, page).some((key) => (counts.get(key)?.size ?? 0) >= least);
  return pages.map(({ page, lines }) => ({
    own: lines.filter((line) => !runs(line, page)),
    running: lines.filter((line) => runs(line, page)),
  }));
}

/** Returns keys of text without numbers plus height; empty for a line outside the header and footer areas. */
function keysOf({ text, y }: TextLine, { height }: PdfPage): string[] {
  if (y > height * EDGE && y < height * (1 - EDGE)) return [];
  const words = text.trim().replace(/\d+/g, '#').replace(/\s+/g, ' ');
  const place = Math.round(y / 4);
  // Two roundings, so that nearly equal heights share at least one key.
  return [`${words} ${place}`, `${words} ${Math.round((y + 2) / 4)}+`];
}
