/**
 * Returns the comment that marks the start of a PDF page, so that a line can be found in the file, and lists
 * omitted text.
 *
 * @param running omitted lines, such as the page's header and footer
 */
export function pageMark(number: number, running: readonly string[]): string {
  // Two hyphens would end the comment.
  const named = running.map((text) => text.trim().replace(/-(?=-)/g, '- ')).join(' | ');
  return `<!-- page ${number}${named === '' ? '' : `; left out: ${named}`} -->`;
}

const MARK = /^<!-- page (\d{1,9})(?:; left out: [^\n]*)? -->\n{0,2}/gm;

/** Splits the text of a PDF at its page marks, which are removed. */
export function splitPages(text: string): { page: number; text: string }[] {
  const [first = '', ...rest] = text.split(MARK);
  const pages = [{ page: 1, text: first }];
  for (let at = 0; at < rest.length; at += 2) pages.push({ page: Number(rest[at]), text: rest[at + 1]! });
  return pages;
}

/** Removes the page marks from the text of a PDF, as for a separate passage. */
export const withoutPageMarks = (text: string): string => text.replace(MARK, '');
