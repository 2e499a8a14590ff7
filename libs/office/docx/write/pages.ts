import type { PageLayout } from './context.js';
import { FlowReader } from './layout/flow.js';
import { noteHeights } from './layout/notes.js';
import { Pager } from './layout/pager.js';
import { styleMetrics } from './layout/style-metrics.js';

/** XML parts of a document in the writer's own format. */
interface LaidOutParts {
  cover: string;
  toc: string;
  body: string;
  footnotes: string;
  styles: string;
}

/** Characters of XML to read after the last requested bookmark: text kept with its heading can move it. */
const READ_AFTER_BOOKMARK = 100_000;

/**
 * Computes the page of each bookmark. Text is measured with the widths of Arial and Courier New and broken
 * into lines; pictures, tables and notes take their actual height. Linear in the document's length.
 *
 * @param last last bookmark for which a page is needed; reading stops soon after it
 * @returns page numbers by bookmark name
 */
export function pageNumbers(
  parts: LaidOutParts,
  page: PageLayout,
  last: string,
): ReadonlyMap<string, number> {
  const styles = styleMetrics(parts.styles);
  const textWidth = page.width - 2 * page.margin;
  const notes = noteHeights(parts.footnotes, styles, textWidth);
  const pager = new Pager(page.height - 2 * page.margin);
  const reader = new FlowReader({ styles, textWidth, notes }, pager);
  for (const xml of [parts.cover, parts.toc]) reader.read(xml);
  const at = parts.body.lastIndexOf(`w:name="${last}"`);
  reader.read(parts.body, at < 0 ? parts.body.length : at + READ_AFTER_BOOKMARK);
  pager.flush();
  return pager.bookmarks;
}
