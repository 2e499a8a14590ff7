import { withoutSpaces } from '#contracts/text.js';
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
/** Letters that fonts join into one glyph; the text of a PDF contains them in either order. */
const LAM_AND_ALEF = /[\u0622\u0623\u0625\u0627\u0644]{2,}/g;
const NO_WORD = /[^\p{L}\p{N}]+/u;
/** Number of lines after the last match in which the next line is searched. */
const FURTHER = 2_000;

/**
 * Checks whether a PDF shows lines with words of a right-to-left script. The text of a PDF is a sequence of
 * glyphs in drawing order, so words of both directions, brackets and points may be in another order. All
 * words of a line must appear in adjacent lines.
 *
 * @param shown the text of the PDF, line by line
 * @param joined with `turned`, letters that a font joins may be in either order; with `as written`, a text
 * search must find the words
 * @returns a function to call for each line, in their order
 */
export function shownInAnyDirection(
  shown: readonly string[],
  joined: 'turned' | 'as written' = 'turned',
): (text: string) => boolean {
  const plain = joined === 'turned' ? inOneOrder : withoutMarks;
  const lines = shown.map((line) => withoutSpaces(plain(line)));
  let from = 0;
  return (text) => {
    if (!RIGHT_TO_LEFT.test(text)) return false;
    const words = plain(text).split(NO_WORD).filter(Boolean);
    const length = words.join('').length;
    // Match long words first: a short word may be part of a long one.
    words.sort((a, b) => b.length - a.length);
    for (let first = from; first < Math.min(lines.length, from + FURTHER); first++) {
      if (!showsAll(lines, first, length, words)) continue;
      from = first;
      return true;
    }
    return false;
  };
}

/**
 * Returns whether all words occur from line `first` on, in as many letters as the words have plus one line.
 */
function showsAll(
  lines: readonly string[],
  first: number,
  length: number,
  words: readonly string[],
): boolean {
  let there = '';
  let last = first;
  while (there.length < length && last < lines.length) there += lines[last++];
  there += lines[last] ?? '';
  return words.every((word) => {
    if (!there.includes(word)) return false;
    // Each occurrence matches only one word.
    there = there.replace(word, ' ');
    return true;
  });
}

/** Removes diacritics and normalizes the text. */
function withoutMarks(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '');
}

function inOneOrder(text: string): string {
  return withoutMarks(text).replace(LAM_AND_ALEF, (letters) => [...letters].sort().join(''));
}
