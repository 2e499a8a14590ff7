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

/** Addresses that lead to the source from anywhere. */
const WEB_ADDRESS = /^https?:/i;

/**
 * Appends a footnote with author, title, date and web address of each source that the text cites. The address of a
 * source in the service is left out: it consists of random IDs, and the same sources must give the same text.
 */
export function citeSources(markdown: string, sources: NotedSource[]): string {
  const cited = new Set(noteLabels(markdown));
  const notes = sources
    .filter(({ label }) => cited.has(label))
    .map(({ label, title, url, author, date }) => {
      const by = author ? `${oneLine(author)}: ` : '';
      const at = WEB_ADDRESS.test(url) ? ` <${url}>` : '';
      return `[^${label}]: ${by}${oneLine(title)}${date ? ` (${date})` : ''}.${at}`;
    });
  return notes.length === 0 ? markdown : `${markdown.trimEnd()}\n\n${notes.join('\n')}\n`;
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
