import { noteLabels } from './sentences.js';

/** A source as a note tells of it. */
export interface NotedSource {
  label: string;
  title: string;
  url: string;
}

/** The text with a note for each source that it cites, so that it is complete by itself. */
export function citeSources(markdown: string, sources: NotedSource[]): string {
  const cited = new Set(noteLabels(markdown));
  const notes = sources
    .filter(({ label }) => cited.has(label))
    .map(({ label, title, url }) => `[^${label}]: ${oneLine(title)}. <${url}>`);
  return notes.length === 0 ? markdown : `${markdown.trimEnd()}\n\n${notes.join('\n')}\n`;
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
