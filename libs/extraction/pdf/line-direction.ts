import type { TextLine } from './text-line.js';
import { inReadingDirection } from './reading-direction.js';
import { shownText } from './shown-marks.js';
import { countLetters, hasLettersToLeft } from './text-direction.js';
import type { TextPiece } from './text-piece.js';

/** Minimum gap between two words, relative to the font size. */
export const WORD_GAP = 0.15;
/** Share of letters from which a line of a page that is read from the right runs to the left. */
const LEAST_TO_LEFT = 1 / 6;

/** Returns a line with its text and the text of its parts in reading order, which differs from the page with right-to-left scripts. */
export function inItsDirection(line: TextLine): TextLine {
  const isMirrored = line.pieces[0]?.mirrored ?? false;
  if (!isMirrored && !hasLettersToLeft(line.text)) return line;
  const toLeft = linesRunToLeft(line.pieces);
  const parts = line.parts.map((part, at) => {
    const end = line.parts[at + 1]?.x ?? Infinity;
    const own = line.pieces.filter(({ x }) => x >= part.x && x < end);
    return { ...part, text: textOf(own, hasLetters(own) ? linesRunToLeft(own) : toLeft) };
  });
  return { ...line, text: textOf(line.pieces, toLeft), parts };
}

/** Returns whether lines of a page run from right to left: without letters, they run as the page does. */
export function linesRunToLeft(pieces: readonly TextPiece[]): boolean {
  const isMirrored = pieces[0]?.mirrored ?? false;
  const { toLeft, toRight } = countLetters(pieces);
  if (toLeft + toRight === 0) return isMirrored;
  return isMirrored ? toLeft >= (toLeft + toRight) * LEAST_TO_LEFT : toLeft > toRight;
}

const hasLetters = (pieces: readonly TextPiece[]): boolean => pieces.some(({ text }) => /\p{L}/u.test(text));

/** @param pieces pieces of a line, ordered by x */
function textOf(pieces: readonly TextPiece[], toLeft: boolean): string {
  const drawn = pieces[0]?.mirrored ? pieces.toReversed() : pieces;
  const texts: string[] = [];
  for (const [at, piece] of drawn.entries()) {
    const before = drawn[at - 1];
    const gap = before ? gapBetween(before, piece) : 0;
    const words = shownText(piece, texts.at(-1) ?? '');
    if (gap > WORD_GAP * piece.size && !/\s$/.test(texts.at(-1)!) && !/^\s/.test(words)) texts.push(' ');
    texts.push(words);
  }
  return inReadingDirection(texts, toLeft);
}

const gapBetween = (left: TextPiece, right: TextPiece): number =>
  right.mirrored ? left.x - right.x - right.width : right.x - left.x - left.width;
