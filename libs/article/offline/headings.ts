import type { Heading } from '../contract/values.js';
import type { ResearchPassage } from '../graph/state.js';

const MAX_SECTIONS = 8;
const MAX_TITLE = 300;

/** Returns the heading above a passage, or the title of its source. */
export const sectionOf = ({ heading_path: path, source_title }: ResearchPassage): string =>
  (path[1] ?? path[0] ?? source_title).replace(/\s+/g, ' ').trim().slice(0, MAX_TITLE);

/** Derives headings from the sections of the passages, in the order found; the topic is the title. */
export function headingsFrom(topic: string, passages: ResearchPassage[]): Heading[] {
  const titles = [...new Set(passages.map(sectionOf))].filter((title) => title !== '' && title !== topic);
  return [
    { level: 1, title: topic.slice(0, MAX_TITLE) },
    ...titles.slice(0, MAX_SECTIONS).map((title) => ({ level: 2, title })),
  ];
}
