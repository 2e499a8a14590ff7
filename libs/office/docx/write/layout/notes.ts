import { FlowReader } from './flow.js';
import { Pager } from './pager.js';
import type { StyleMetrics } from './style-metrics.js';

const NOTE = /<w:footnote [^>]*w:id="(\d+)">(.*?)<\/w:footnote>/gs;

/** Returns the height of each footnote, by its ID in `word/footnotes.xml`. */
export function noteHeights(
  footnotesXml: string,
  styles: ReadonlyMap<string, StyleMetrics>,
  textWidth: number,
): ReadonlyMap<string, number> {
  const heights = new Map<string, number>();
  for (const [, id = '', body = ''] of footnotesXml.matchAll(NOTE)) {
    const pager = new Pager(Infinity);
    new FlowReader({ styles, textWidth, notes: new Map() }, pager).read(body);
    pager.flush();
    heights.set(id, pager.height);
  }
  return heights;
}
