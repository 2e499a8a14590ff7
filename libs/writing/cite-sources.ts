import { noteLabels } from './sentences.js';

/** A source as described in a footnote. */
interface NotedSource {
  label: string;
  title: string;
  url: string;
  author?: string | null;
  /** Date of publication, `YYYY-MM-DD`. */
  date?: string | null;
}

/** Appends a footnote with author, title, date and address of each source that the text cites. */
export function citeSources(markdown: string, sources: NotedSource[]): string {
  const cited = new Set(noteLabels(markdown));
  const notes = sources
    .filter(({ label }) => cited.has(label))
    .map(({ label, title, url, author, date }) => {
      const by = author ? `${oneLine(author)}: ` : '';
      return `[^${label}]: ${by}${oneLine(title)}${date ? ` (${date})` : ''}. <${url}>`;
    });
  return notes.length === 0 ? markdown : `${markdown.trimEnd()}\n\n${notes.join('\n')}\n`;
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
