import type { OutlineEntry } from '#contracts/manuscript.js';

/** Headings that a run's progress shows at most. */
const MAX_ENTRIES = 500;

/** The outline as a run's progress shows it: of a long document without its deepest levels, so that every chapter is there. */
export function boundedOutline(outline: OutlineEntry[]): OutlineEntry[] {
  let shown = outline;
  for (let deepest = 6; shown.length > MAX_ENTRIES && deepest > 1; deepest--)
    shown = shown.filter(({ level }) => level < deepest);
  return shown.slice(0, MAX_ENTRIES);
}
