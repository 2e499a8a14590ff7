/** Fences of files whose end is not in sight are this long, so that no run of backticks ahead is likely to reach it. */
const LONG = 8;

/**
 * A fence of backticks that the content cannot close.
 *
 * @param whole false when more content will follow
 */
export function chooseFence(content: string, whole: boolean): string {
  let longest = 2;
  for (const run of content.matchAll(/`{3,}/g)) longest = Math.max(longest, run[0].length);
  return '`'.repeat(whole ? longest + 1 : Math.max(longest + 1, LONG));
}

/** The content in a fence of its own; a last line without a line feed gets one. */
export function fenced(content: string, language: string): string {
  const fence = chooseFence(content, true);
  return `${fence}${language}\n${content}${endsLine(content) ? '' : '\n'}${fence}\n`;
}

export function endsLine(text: string): boolean {
  return text === '' || text.endsWith('\n');
}

/**
 * The rest of a fenced block, when its content comes in pieces. A line that would close the open fence gets a longer fence: the
 * block is closed before it and opened again, so that no line is altered.
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
