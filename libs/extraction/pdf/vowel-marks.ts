import type { ShownGlyph } from './read-drawing.js';
import { hasLettersToLeft, withoutShapes } from './text-direction.js';

const MARKS = /^\p{M}+$/u;
/** Largest distance of a mark from its letter, relative to the font size. */
const NEAR = 0.35;
/** Largest overlap of a mark with the letter to its left, relative to the font size. */
const OVERLAP = 0.2;

/** Joins the vowel marks of right-to-left scripts with their letters. Programs draw a mark before its letter, the one to its right, or after it. */
export function withMarks(glyphs: readonly ShownGlyph[]): ShownGlyph[] {
  const isMark = glyphs.map(({ text }) => MARKS.test(withoutShapes(text)));
  const isFirst = areBeforeLetters(glyphs, isMark);
  const ordered = isFirst ? glyphs.toReversed() : glyphs;
  const marks = isFirst ? isMark.toReversed() : isMark;
  const joined: ShownGlyph[] = [];
  for (const [at, glyph] of ordered.entries()) {
    const last = joined.at(-1);
    if (marks[at] && last && isOver(glyph, last)) joined[joined.length - 1] = withMark(last, glyph);
    else joined.push(glyph);
  }
  return isFirst ? joined.reverse() : joined;
}

/** Returns whether most marks are drawn to the right of the letter before them. */
function areBeforeLetters(glyphs: readonly ShownGlyph[], isMark: readonly boolean[]): boolean {
  let votes = 0;
  let letter: ShownGlyph | null = null;
  for (const [at, glyph] of glyphs.entries()) {
    if (!isMark[at]) letter = glyph;
    else if (letter) votes += isRightOf(glyph, letter) ? 1 : -1;
  }
  return votes > 0;
}

function isRightOf({ transform }: ShownGlyph, { transform: [a, b, , , x], width }: ShownGlyph): boolean {
  return transform[4] > x + width - Math.hypot(a, b) * OVERLAP;
}

function isOver(mark: ShownGlyph, { text, transform: [a, b, , , x, y], width }: ShownGlyph): boolean {
  const size = Math.hypot(a, b);
  const [, , , , markX, markY] = mark.transform;
  const isNear = markX > x - size * NEAR && markX < x + width + size * NEAR;
  return isNear && Math.abs(markY - y) < size && hasLettersToLeft(text);
}

const withMark = (letter: ShownGlyph, mark: ShownGlyph): ShownGlyph => ({
  ...letter,
  text: letter.text + withoutShapes(mark.text),
  afterBlank: letter.afterBlank || mark.afterBlank,
});
