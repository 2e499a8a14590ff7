import { splitPages, withoutPageMarks } from './pdf/page-marks.js';

/** Returns the comment that replaces a document's omitted table of contents. */
export const contentsMark = (lines: number): string =>
  `<!-- left out: table of contents (lines: ${lines}) -->`;

/**
 * Returns the comment about words that a document shows and its text omits.
 *
 * @param what kind of part, such as `header`
 */
export const leftOutMark = (what: string, words: string): string =>
  // Two hyphens would end the comment.
  `<!-- left out: ${what}: ${words
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/-(?=-)/g, '- ')} -->`;

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
