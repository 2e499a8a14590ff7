import { chapterLine } from './headings.js';
import type { Written } from './writer.js';

export interface CodeState {
  kind: 'code';
  language: string;
  title: string;
  /** Level of the chapter's heading. */
  level: number;
  /** Delimiter of the open code fence; null before the first stretch. */
  fence: string | null;
}

/** Maximum number of characters per append, unless a single line is longer. */
const MAX_APPEND_LENGTH = 900_000;

/**
 * Carries a file in one code fence, byte for byte, including carriage returns and trailing blanks. Cuts
 * stretches after a line feed, because an append always ends its last line.
 */
export function writeCode(state: CodeState, text: string, last: boolean): Written<CodeState> {
  const content = cutLines(text, last);
  const isEnd = last && content.length === text.length;
  if (content === '' && !isEnd) return { markdown: '', consumed: 0, state };
  if (state.fence === null && content === '')
    return { markdown: `${chapterLine(state)}\n\nThe file is empty.\n`, consumed: 0, state };
  const { markdown, fence } =
    state.fence === null
      ? begin(state, content, isEnd)
      : continueFence(content, state.fence, state.language, isEnd);
  const end = isEnd ? `${endsLine(content) ? '' : '\n'}${fence}\n` : '';
  return { markdown: markdown + end, consumed: content.length, state: { ...state, fence } };
}

/** Returns as many whole lines as one append may contain; never splits a line, however long. */
function cutLines(text: string, last: boolean): string {
  if (last && text.length <= MAX_APPEND_LENGTH) return text;
  const end = text.lastIndexOf('\n', MAX_APPEND_LENGTH) + 1 || text.indexOf('\n') + 1;
  return end === 0 && last ? text : text.slice(0, end);
}

function begin(state: CodeState, content: string, whole: boolean): { markdown: string; fence: string } {
  const fence = chooseFence(content, whole);
  return { markdown: `${chapterLine(state)}\n\n${fence}${state.language}\n${content}`, fence };
}

/**
 * Length of the fences for files that are not yet read to their end. Later backticks are unlikely to close a
 * fence of this length.
 */
const LONG = 8;

/**
 * Returns a fence of backticks that the content cannot close.
 *
 * @param whole false if more content will follow
 */
export function chooseFence(content: string, whole: boolean): string {
  let longest = 2;
  for (const run of content.matchAll(/`{3,}/g)) longest = Math.max(longest, run[0].length);
  return '`'.repeat(whole ? longest + 1 : Math.max(longest + 1, LONG));
}

/** Returns the content in its own code fence; adds a line feed to an incomplete last line. */
export function fenceContent(content: string, language: string): string {
  const fence = chooseFence(content, true);
  return `${fence}${language}\n${content}${endsLine(content) ? '' : '\n'}${fence}\n`;
}

export function endsLine(text: string): boolean {
  return text === '' || text.endsWith('\n');
}

/**
 * Continues a fenced block that arrives in parts. Before a line that would close the fence, the block is closed
 * and reopened with a longer fence, so that no line changes.
 */
export function continueFence(
  content: string,
  open: string,
  language: string,
  whole: boolean,
): { markdown: string; fence: string } {
  const closing = new RegExp(`(?:^|[\\r\\n]) {0,3}\`{${open.length},}[ \\t]*(?=[\\r\\n]|$)`);
  if (!closing.test(content)) return { markdown: content, fence: open };
  const fence = chooseFence(content, whole);
  return { markdown: `${open}\n\n${fence}${language}\n${content}`, fence };
}
