import type { PdfPage, TextLine } from './page.js';

/** Heads and feet stand within so much of the page's height from its edges. */
const EDGE = 0.11;
/** Part of the pages on which words have to stand again to be a running head. */
const ON_PAGES = 0.5;

/** The lines of a page. */
export interface PageLines {
  /** Its own words. */
  own: TextLine[];
  /** Its running head and foot. */
  running: TextLine[];
}

/**
 * Tells what stands at the head or foot of most pages: the same words in the same place, numbers aside, and so page numbers. A document
 * of fewer than three pages has none that can be told from its words.
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

/** Words without their numbers, with their height on the page; none for a line between the edges. */
function keysOf({ text, y }: TextLine, { height }: PdfPage): string[] {
  if (y > height * EDGE && y < height * (1 - EDGE)) return [];
  const words = text.trim().replace(/\d+/g, '#').replace(/\s+/g, ' ');
  const place = Math.round(y / 4);
  // Rounded twice, so that no two equal places fall apart.
  return [`${words} ${place}`, `${words} ${Math.round((y + 2) / 4)}+`];
}
