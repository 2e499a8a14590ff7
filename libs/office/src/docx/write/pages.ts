import type { PageLayout } from './context.js';
import { FlowReader } from './layout/flow.js';
import { noteHeights } from './layout/notes.js';
import { Pager } from './layout/pager.js';
import { styleMetrics } from './layout/style-metrics.js';

/** The XML of a document in the writer's own form, part by part. */
export interface LaidOutParts {
  cover: string;
  toc: string;
  body: string;
  footnotes: string;
  styles: string;
}

/** XML behind the last place that is asked for which may move it: what its heading is kept with. */
const READ_BEHIND = 100_000;

/**
 * The page that each bookmark is on. Words are measured with the widths of Arial and Courier New and set line by line,
 * pictures, tables and notes take the room that they have; all in time proportional to the document's length.
 *
 * @param last the last bookmark whose page is wanted; hardly anything behind it is looked at
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
  reader.read(parts.body, at < 0 ? parts.body.length : at + READ_BEHIND);
  pager.flush();
  return pager.bookmarks;
}
