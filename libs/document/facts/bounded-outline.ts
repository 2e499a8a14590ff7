import type { OutlineEntry } from '#contracts/manuscript.js';

/** Maximum number of headings in a run's progress. */
const MAX_ENTRIES = 500;

/**
 * Returns the outline for a run's progress. Omits the deepest levels of a long document, so that all chapters
 * fit.
 */
export function boundedOutline(outline: OutlineEntry[]): OutlineEntry[] {
  let shown = outline;
  for (let deepest = 6; shown.length > MAX_ENTRIES && deepest > 1; deepest--)
    shown = shown.filter(({ level }) => level < deepest);
  return shown.slice(0, MAX_ENTRIES);
}
