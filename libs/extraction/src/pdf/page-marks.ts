/** Part the lines of one page's head and foot in its mark. */
const BETWEEN = ' | ';

/**
 * Stands where a page of a PDF begins, so that a line can be found again in the file, and names what is left out there.
 *
 * @param running the lines of its head and foot
 */
export function pageMark(number: number, running: readonly string[]): string {
  // Two hyphens would end the comment.
  const named = running.map((text) => text.trim().replace(/-(?=-)/g, '- ')).join(BETWEEN);
  return `<!-- page ${number}${named === '' ? '' : `; left out: ${named}`} -->`;
}

const MARK = /^<!-- page (\d{1,9})(?:; left out: ([^\n]*))? -->\n{0,2}/gm;

/** The text of a PDF without the marks of its pages, as for a passage that is read by itself. */
export const withoutPageMarks = (text: string): string => text.replace(MARK, '');

/** The lines of heads and feet that the marks of a text name, by page. */
export function leftOutOf(text: string): Map<number, string[]> {
  return new Map(
    Array.from(text.matchAll(MARK), ([, page, named]) => [Number(page), named?.split(BETWEEN) ?? []]),
  );
}
