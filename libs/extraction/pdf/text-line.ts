import { hasWords } from '#contracts/text.js';
import { loweredText, raisedText, withShiftTags } from '../raised.js';
import type { Tag } from './tags.js';
import { countLetters, hasLettersToLeft, inReadingDirection } from './text-direction.js';

/** Text of a line between two gaps. */
export interface LinePart {
  text: string;
  x: number;
  right: number;
}

/** Neighbouring pieces on one baseline. */
export interface TextLine {
  text: string;
  x: number;
  right: number;
  y: number;
  size: number;
  /** Whether all letters are bold. */
  bold: boolean;
  /** Text of the line, split at gaps wider than a blank: table cells may be that close. */
  parts: LinePart[];
  pieces: TextPiece[];
  /** Whether the line is part of a footnote below a column. */
  isNote?: boolean;
  /** Cells of a table row and the number of its table on the page; absent outside tables. */
  row?: { cells: string[]; table: number };
  /** Markdown of a picture, which is no text; absent for words. */
  picture?: string;
  /** Tag of the text that it belongs to; absent on a page without trustworthy tags. */
  tag?: Tag;
}

/**
 * Positioned text. Lengths are in points; `y` is the distance from the bottom of the page to the baseline.
 */
export interface TextPiece {
  text: string;
  x: number;
  y: number;
  width: number;
  /** Font size. */
  size: number;
  bold: boolean;
  /** 1 for letters raised above their line, -1 for lowered ones; absent if only their place says so. */
  rise?: number;
  /** Whether the text is struck through. */
  struck?: boolean;
  /** Number of the marked text that it belongs to; absent outside of any, and -1 for decoration. */
  mark?: number;
  /** Whether `x` is the distance of the right end from the right edge of the page, which is read from there. */
  mirrored?: boolean;
}

/** Pieces on one baseline. */
export interface BaselineRow {
  y: number;
  pieces: TextPiece[];
}

/** Groups pieces by exact baseline, from top to bottom. */
export function baselineRows(pieces: readonly TextPiece[]): BaselineRow[] {
  const rows: BaselineRow[] = [];
  for (const piece of [...pieces].sort((a, b) => b.y - a.y)) {
    const row = rows.at(-1);
    if (row && row.y - piece.y < 0.5) row.pieces.push(piece);
    else rows.push({ y: piece.y, pieces: [piece] });
  }
  return rows;
}

/** Returns the largest font size of pieces or lines; 0 without any. Works for any number of them. */
export function largestSize(texts: Iterable<{ size: number }>): number {
  let largest = 0;
  for (const { size } of texts) largest = Math.max(largest, size);
  return largest;
}

/** Longest text that is raised or lowered, in characters, and its largest size relative to the letters next to it. */
const LONGEST = 15;
const SMALL = 0.86;
/** Least height above and depth below the line, and the most overlap and gap, relative to the letters next to it. */
export const LEAST_RAISED = 0.12;
const LEAST_LOWERED = 0.06;
const OVERLAP = 0.12;
const GAP = 0.3;
/** Gap between two raised words, relative to their size. */
const BLANK = 0.15;
/** Characters that Unicode reserves for programs. They mark struck text until Markdown is escaped. */
const BEGIN = '\ufdd0';
const END = '\ufdd1';

/** Returns the text of a piece so that raised, lowered and struck text differs from other text. */
export function shownText(piece: TextPiece): string {
  const text = piece.rise ? shifted(piece.text, piece.rise) : piece.text;
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

/** Replaces the marks of shifted and struck text by Markdown's, in escaped text. */
export function withMarkup(text: string): string {
  const struck = text
    .replaceAll(`${END} ${BEGIN}`, ' ')
    .replaceAll(`${END}${BEGIN}`, '')
    .replace(MARKS, '~~');
  return withShiftTags(struck);
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
function shifted(text: string, rise: number): string {
  if (!hasWords(text)) return text;
  return text.replace(text.trim(), rise > 0 ? raisedText : loweredText);
}

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
    const words = shownText(piece);
    if (gap > WORD_GAP * piece.size && !/\s$/.test(texts.at(-1)!) && !/^\s/.test(words)) texts.push(' ');
    texts.push(words);
  }
  return inReadingDirection(texts, toLeft);
}

const gapBetween = (left: TextPiece, right: TextPiece): number =>
  right.mirrored ? left.x - right.x - right.width : right.x - left.x - left.width;
