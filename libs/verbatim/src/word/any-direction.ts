const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
/** Letters that fonts join to one glyph, which the text of a PDF gives back in either order. */
const LAM_AND_ALEF = /[\u0622\u0623\u0625\u0627\u0644]{2,}/g;
const NO_WORD = /[^\p{L}\p{N}]+/u;
/** How far behind the line that was found last the next one is sought. */
const FURTHER = 2_000;

/**
 * Tells for lines with words of a right-to-left script whether a PDF shows them. Its text is a row of glyphs as they are drawn, so that
 * words of both directions, brackets and points stand in another order: all words of a line have to stand in lines beside each other.
 *
 * @param shown the text of the PDF, line by line
 * @param joined `turned`: letters that a font joins may stand in either order; `as written`: a program that searches the text finds the words
 * @returns a function to ask line after line, in their order
 */
export function shownInAnyDirection(
  shown: readonly string[],
  joined: 'turned' | 'as written' = 'turned',
): (text: string) => boolean {
  const plain = joined === 'turned' ? inOneOrder : withoutMarks;
  const lines = shown.map((line) => plain(line).replace(/\s+/g, ''));
  let from = 0;
  return (text) => {
    if (!RIGHT_TO_LEFT.test(text)) return false;
    const words = plain(text).split(NO_WORD).filter(Boolean);
    const length = words.join('').length;
    // A short word may stand inside a long one, which is sought first.
    words.sort((a, b) => b.length - a.length);
    for (let first = from; first < Math.min(lines.length, from + FURTHER); first++) {
      if (!showsAll(lines, first, length, words)) continue;
      from = first;
      return true;
    }
    return false;
  };
}

/** Do so many letters from the first line on, and the line behind them, hold all words? */
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
    // Each word of the document stands for one.
    there = there.replace(word, ' ');
    return true;
  });
}

/** Without marks on letters, in one form. */
function withoutMarks(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '');
}

function inOneOrder(text: string): string {
  return withoutMarks(text).replace(LAM_AND_ALEF, (letters) => [...letters].sort().join(''));
}
