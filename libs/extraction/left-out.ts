/** Returns the comment that replaces a document's omitted table of contents. */
export const contentsMark = (lines: number): string =>
  `<!-- left out: table of contents (lines: ${lines}) -->`;

/**
 * Returns the comment about words that a document shows and its text omits.
 *
 * @param what kind of part, such as `header`
 */
export const leftOutMark = (what: string, words: string): string =>
  `<!-- left out: ${what}: ${withoutEnd(words.replace(/\s+/g, ' ').trim())} -->`;

/** Separates hyphens: two of them would end a comment. */
const withoutEnd = (text: string): string => text.replace(/-(?=-)/g, '- ');

/** Returns whether a line is a comment about omitted words. */
export const isMark = (line: string): boolean => line.startsWith('<!-- left out: ');

const MARK = /^<!-- left out: [^\n]* -->\n{0,2}/gm;

/** Removes the comments about omitted parts from a document's text, as for a separate passage. */
export const withoutMarks = (text: string): string => withoutPageMarks(text).replace(MARK, '');

/** Like `withoutMarks`, for the text of a PDF. Returns also where its pages begin in the result. */
export function withoutMarksByPage(text: string): { text: string; pages: { page: number; at: number }[] } {
  let whole = '';
  const pages = splitPages(text).map(({ page, text: words }) => {
    const at = whole.length;
    whole += words.replace(MARK, '');
    return { page, at };
  });
  return { text: whole, pages };
}

/**
 * Returns the comment that marks the start of a PDF page, so that a line can be found in the file, and lists
 * omitted text.
 *
 * @param running omitted lines, such as the page's header and footer
 */
export function pageMark(number: number, running: readonly string[]): string {
  const named = running.map((text) => withoutEnd(text.trim())).join(' | ');
  return `<!-- page ${number}${named === '' ? '' : `; left out: ${named}`} -->`;
}

/** What the mark of a page names if the page is a picture. */
export const ONLY_PICTURE = 'words of this page, of which the file has only a picture';

/** Removes `ONLY_PICTURE` from the mark of a page whose words were read. */
export function withoutOnlyPicture(mark: string): string {
  const [head = '', named = ''] = mark.split('; left out: ');
  const others = named
    .replace(' -->', '')
    .split(' | ')
    .filter((name) => name !== ONLY_PICTURE);
  return others.join('') === ''
    ? `${head.replace(' -->', '')} -->`
    : `${head}; left out: ${others.join(' | ')} -->`;
}

const PAGE_MARK = /^<!-- page (\d{1,9})(?:; left out: [^\n]*)? -->\n{0,2}/gm;

/** Splits the text of a PDF at its page marks, which are removed. */
export function splitPages(text: string): { page: number; text: string }[] {
  const [first = '', ...rest] = text.split(PAGE_MARK);
  const pages = [{ page: 1, text: first }];
  for (let at = 0; at < rest.length; at += 2) pages.push({ page: Number(rest[at]), text: rest[at + 1]! });
  return pages;
}

/** Returns the number of the page whose mark a line is; null for other lines. */
export function pageOf(line: string): number | null {
  const [, number] = line.startsWith('<!-- page ') ? line.split(PAGE_MARK) : [];
  return number === undefined ? null : Number(number);
}

/** Removes the page marks from the text of a PDF, as for a separate passage. */
export const withoutPageMarks = (text: string): string => text.replace(PAGE_MARK, '');
