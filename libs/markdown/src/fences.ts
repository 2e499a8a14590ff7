import type { OutlineEntry } from '#contracts/manuscript.js';
import { headingWords } from './heading-words.js';
import { closesFence, fenceStart } from './lines.js';
import { trimEndOf } from './trim.js';

/** An open fenced code block: its opening marker, as in `~~~~`. */
export type OpenFence = string;

/** The fence that is open after the given line, when `open` was open before it. */
function fenceAfter(line: string, open: OpenFence | null): OpenFence | null {
  if (open === null) return fenceStart(line)?.marker ?? null;
  return closesFence(line, open) ? null : open;
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
    const line = text.slice(start, text[end - 1] === '\r' ? end - 1 : end);
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

/**
 * The markdown inside of a fence that holds the whole text, as a model puts around an answer; else the text as it is.
 * A fence that says `markdown` goes on to the last line, whatever fences it holds; one without a language only when nothing closes it before,
 * so that a text which begins and ends with code stays whole.
 */
export function withoutOuterFence(text: string): string {
  const lines = text.trim().split('\n');
  const last = lines.pop() ?? '';
  const fence = fenceStart(lines.shift() ?? '');
  if (fence === null || !closesFence(last, fence.marker)) return text;
  const saysSo = /^(?:markdown|md)$/i.test(fence.info);
  const isOuter = saysSo || (fence.info === '' && !lines.some((line) => closesFence(line, fence.marker)));
  return isOuter ? lines.join('\n') : text;
}
