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
