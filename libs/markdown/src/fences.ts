import type { OutlineEntry } from '#contracts/manuscript.js';
import { headingWords } from './heading-words.js';
import { trimEndOf } from './trim.js';

/** An open fenced code block: the marker's character and its length, as in `~~~~` (CommonMark 0.31, 4.5). */
export type OpenFence = string;

const OPENING = /^ {0,3}(`{3,}|~{3,})(.*)$/s;

/** The fence that is open after the given line, when `open` was open before it. */
function fenceAfter(line: string, open: OpenFence | null): OpenFence | null {
  const match = OPENING.exec(line);
  if (!match) return open;
  const [, marker = '', rest = ''] = match;
  if (open === null) return marker.startsWith('`') && rest.includes('`') ? null : marker;
  const closes = marker[0] === open[0] && marker.length >= open.length && rest.trim() === '';
  return closes ? null : open;
}

/** What a stretch of markdown contains, seen line by line from a given fence state. */
export interface TextScan {
  lines: number;
  openFence: OpenFence | null;
  outline: OutlineEntry[];
}

/**
 * Scans text that starts at the beginning of a line.
 *
 * @param text ends with a newline, or is empty
 * @param firstLine 1-based number of the text's first line in the manuscript
 * @param openFence the fence that is open where the text starts
 */
export function scanText(text: string, firstLine = 1, openFence: OpenFence | null = null): TextScan {
  const outline: OutlineEntry[] = [];
  let open = openFence;
  let lines = 0;
  for (let start = 0; start < text.length; lines++) {
    let end = text.indexOf('\n', start);
    if (end < 0) end = text.length;
    const line = text.slice(start, end);
    if (open === null) {
      const heading = /^ {0,3}(#{1,6})[ \t]+(\S.*)$/.exec(line);
      if (heading) {
        const title = headingWords(trimEndOf(heading[2]!, ' \t#', 1));
        outline.push({ level: heading[1]!.length, title, line: firstLine + lines });
      }
    }
    open = fenceAfter(line, open);
    start = end + 1;
  }
  return { lines, openFence: open, outline };
}
