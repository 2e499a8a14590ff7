import type { OutlineEntry } from '#contracts/manuscript.js';
import { closesFence, fenceStart } from './lines.js';
import { trimEndOf } from './trim.js';
import type { PhrasingContent } from 'mdast';
import { quickInlines } from './quick-inlines.js';

/** Opening marker of the open code fence, such as `~~~~`. */
type OpenFence = string;

/** Returns the code fence that is open after a line; `open` is the one open before it. */
function fenceAfter(line: string, open: OpenFence | null): OpenFence | null {
  if (open === null) return fenceStart(line)?.marker ?? null;
  return closesFence(line, open) ? null : open;
}

/** Result of a line-by-line scan of Markdown. */
interface TextScan {
  lines: number;
  openFence: OpenFence | null;
  outline: OutlineEntry[];
}

/**
 * Scans text that starts at the beginning of a line.
 *
 * @param text empty, or text that ends with a newline
 * @param firstLine 1-based number of the text's first line in the manuscript
 * @param openFence code fence that is open where the text starts
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
 * Removes a code fence that encloses the whole text, as models put around an answer; else returns the text
 * unchanged. A fence with the language `markdown` extends to the last line, even over inner fences; one
 * without a language only if no other line closes it, so that a text which begins and ends with code stays
 * intact.
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

/**
 * Returns the plain text of a heading for lists of headings, without code, emphasis, link and escape markup.
 * Returns the heading unchanged if its inline markup is ambiguous.
 *
 * @param markdown one line, without the heading's own markers
 */
function headingWords(markdown: string): string {
  const nodes = quickInlines([{ text: markdown, offset: 0, line: 1, column: 1 }]);
  const words = nodes === null ? '' : nodes.map(wordsOf).join('').trim();
  return words === '' ? markdown : words;
}

function wordsOf(node: PhrasingContent): string {
  if (node.type === 'text' || node.type === 'inlineCode') return node.value;
  if (node.type === 'image') return node.alt ?? '';
  return 'children' in node ? node.children.map(wordsOf).join('') : '';
}
