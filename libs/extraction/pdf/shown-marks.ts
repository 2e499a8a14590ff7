import { loweredText, raisedText } from '../raised.js';
import type { TextPiece } from './text-piece.js';

/** Longest text that is raised or lowered, in characters, and its largest size relative to the letters next to it. */
const LONGEST = 15;
const SMALL = 0.86;
/** Least height above and depth below the line, and the most overlap and gap, relative to the letters next to it. */
const LEAST_RAISED = 0.12;
const LEAST_LOWERED = 0.06;
const OVERLAP = 0.12;
const GAP = 0.3;
/** Gap between two raised words, relative to their size. */
const BLANK = 0.15;
/** Characters that Unicode reserves for programs. They mark struck text until Markdown is escaped. */
const BEGIN = '\ufdd0';
const END = '\ufdd1';

/**
 * Returns the text of a piece so that raised, lowered and struck text differs from other text.
 *
 * @param before text before the piece on its line
 */
export function shownText(piece: TextPiece, before: string): string {
  const text = piece.rise ? shifted(piece.text, piece.rise, before) : piece.text;
  if (!piece.struck || text.trim() === '') return text;
  return text.replace(text.trim(), (words) => BEGIN + words + END);
}

/**
 * Returns the pieces of a row with `rise` where their place and size say so. Raised or lowered pieces that follow
 * each other become one piece.
 *
 * @param row pieces from left to right
 */
export function withShifts(row: readonly TextPiece[]): TextPiece[] {
  const rises = row.map((piece) => (row.length > 1 ? (piece.rise ?? 0) : 0));
  // Look left first: a raised piece belongs to the letters before it.
  for (let at = 1; at < row.length; at++) rises[at] ||= riseFrom(row[at]!, row[at - 1]!, rises[at - 1]!);
  for (let at = row.length - 2; at >= 0; at--) rises[at] ||= riseFrom(row[at]!, row[at + 1]!, rises[at + 1]!);
  const shifts: TextPiece[] = [];
  for (const [at, piece] of row.entries()) {
    const last = shifts.at(-1);
    const rise = rises[at]!;
    const gap = last ? piece.x - last.x - last.width : 0;
    if (
      last &&
      rise !== 0 &&
      last.rise === rise &&
      !last.struck === !piece.struck &&
      isClose(gap, piece.size)
    )
      shifts[shifts.length - 1] = {
        ...last,
        text: `${last.text}${gap > BLANK * piece.size ? ' ' : ''}${piece.text}`,
        width: Math.max(last.width, piece.x + piece.width - last.x),
      };
    else shifts.push(rise === (piece.rise ?? 0) ? piece : { ...piece, rise });
  }
  return shifts;
}

/** Replaces the marks of struck text by Markdown's, in escaped text. */
export function withStruckMarks(text: string): string {
  return text.replaceAll(`${END} ${BEGIN}`, ' ').replaceAll(`${END}${BEGIN}`, '').replace(MARKS, '~~');
}

const MARKS = /[\ufdd0\ufdd1]/g;

/** Returns the rise of a piece relative to its neighbour, or the neighbour's rise if the piece continues it. */
function riseFrom(piece: TextPiece, other: TextPiece, otherRise: number): number {
  if (piece.text.length > LONGEST) return 0;
  const gap = piece.x > other.x ? piece.x - other.x - other.width : other.x - piece.x - piece.width;
  if (otherRise !== 0) {
    // A rise that the file states applies to that piece alone.
    if (other.rise) return 0;
    const isAlike = Math.abs(piece.size - other.size) < other.size * 0.1 && Math.abs(piece.y - other.y) < 1;
    return isAlike && isClose(gap, other.size) ? otherRise : 0;
  }
  if (piece.size > other.size * SMALL || !isClose(gap, other.size)) return 0;
  if (piece.y - other.y > LEAST_RAISED * other.size) return 1;
  return other.y - piece.y > LEAST_LOWERED * other.size ? -1 : 0;
}

const isClose = (gap: number, size: number): boolean => gap > -OVERLAP * size && gap < GAP * size;

/** Returns raised or lowered text, except symbols such as a dagger, which mean the same on the line. */
function shifted(text: string, rise: number, before: string): string {
  if (!/[\p{L}\p{N}]/u.test(text)) return text;
  return text.replace(text.trim(), (words) => (rise > 0 ? raisedText(words, before) : loweredText(words)));
}
