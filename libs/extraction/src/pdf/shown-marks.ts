import { loweredText, raisedText } from '../raised.js';
import type { TextPiece } from './page.js';

/** Longest text that is raised or lowered, in characters, and its largest size relative to the letters next to it. */
const LONGEST = 15;
const SMALL = 0.8;
/** Least height above and depth below the line, and the most overlap and gap, relative to the letters next to it. */
const LEAST_RAISED = 0.12;
const LEAST_LOWERED = 0.06;
const OVERLAP = 0.12;
const GAP = 0.3;
/** Characters that Unicode keeps for programs, which mark struck text until Markdown is escaped. */
const BEGIN = '\ufdd0';
const END = '\ufdd1';

/**
 * Returns the text of a piece so that raised, lowered and struck text differs from other text.
 *
 * @param before piece on its left, if there is one
 * @param after piece on its right, if there is one
 */
export function shownText(piece: TextPiece, before?: TextPiece, after?: TextPiece): string {
  const rise = riseOf(piece, before, after);
  const text = rise === 0 ? piece.text : shifted(piece.text, rise);
  if (!piece.struck || text.trim() === '') return text;
  return text.replace(text.trim(), (words) => BEGIN + words + END);
}

/** Replaces the marks of struck text by those of Markdown, in text that is escaped. */
export function withStruckMarks(text: string): string {
  return text.replaceAll(`${END} ${BEGIN}`, ' ').replaceAll(`${END}${BEGIN}`, '').replace(MARKS, '~~');
}

const MARKS = /[\ufdd0\ufdd1]/g;

function riseOf(piece: TextPiece, before?: TextPiece, after?: TextPiece): number {
  if (piece.rise !== undefined) return before || after ? piece.rise : 0;
  if (piece.text.length > LONGEST) return 0;
  if (before && piece.size <= before.size * SMALL) {
    const gap = piece.x - before.x - before.width;
    if (gap > -OVERLAP * before.size && gap < GAP * before.size) return shiftFrom(piece, before);
  }
  if (after && piece.size <= after.size * SMALL) {
    const gap = after.x - piece.x - piece.width;
    if (gap > -OVERLAP * after.size && gap < GAP * after.size) return shiftFrom(piece, after);
  }
  return 0;
}

function shiftFrom({ y }: TextPiece, { y: line, size, rise }: TextPiece): number {
  if (rise !== undefined) return 0;
  if (y - line > LEAST_RAISED * size) return 1;
  return line - y > LEAST_LOWERED * size ? -1 : 0;
}

/** Symbols such as a dagger mean the same on the line. */
function shifted(text: string, rise: number): string {
  if (!/[\p{L}\p{N}]/u.test(text)) return text;
  return text.replace(text.trim(), (words) => (rise > 0 ? raisedText(words) : loweredText(words)));
}
