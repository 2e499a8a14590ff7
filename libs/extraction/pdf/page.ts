import { hasDigit, hasWords } from '#contracts/text.js';
import type { Rule } from './rules.js';
import type { Tag } from './tags.js';
import { runsToLeft } from './text-direction.js';
import {
  baselineRows,
  inItsDirection,
  largestSize,
  LEAST_RAISED,
  shownText,
  type TextLine,
  type TextPiece,
  withShifts,
  WORD_GAP,
} from './text-line.js';

/** Positioned text with the angle of its direction, counter-clockwise, in whole degrees from 0 to 359. */
export interface DrawnPiece extends TextPiece {
  degrees: number;
}

/** Picture at its place on a page. */
export interface ShownPicture extends Rule {
  markdown: string;
}

/** Page in the file's coordinates. */
export interface DrawnPage {
  width: number;
  height: number;
  /** Text in drawing order. */
  pieces: DrawnPiece[];
  /** Text that the page contains but does not show, by the reason. */
  unseen?: Record<string, DrawnPiece[]>;
  /** Labelled texts that the page contains but does not show, such as notes. */
  named?: string[];
  /** Thin lines of the page. */
  rules?: Rule[];
  /** Pictures that are carried, as Markdown. */
  pictures?: ShownPicture[];
  /** Tags of the page in reading order; empty for a page without any. */
  tags?: Tag[];
}

/** Text of a page that runs from left to right. */
export interface PdfPage {
  width: number;
  height: number;
  /** Text in drawing order. */
  pieces: TextPiece[];
  /** Thin lines of the page; absent if the text was rotated. */
  rules?: Rule[];
  /** Pictures that are carried, as Markdown. */
  pictures?: ShownPicture[];
}

/** Minimum gap between two lines side by side and two parts of a line, relative to the font size. */
const LINE_GAP = 1.8;
const PART_GAP = 0.7;
/** Smallest overlap, relative to the font size, of words that are drawn over each other. */
const OVERLAP = 0.5;
/** Maximum size and vertical offset of superscripts and subscripts, relative to the letters next to them. */
/** A browser's `smaller` is 0.83. */
const SMALL = 0.86;
const RAISED = 0.6;
const LOWERED = 0.35;
/** Most pairs of pieces that are compared to find superscripts. */
const MOST_PAIRS = 20_000;

/** Returns the lines of a page from top to bottom; pieces far apart on one baseline form two lines. */
export function linesOf({ pieces }: Pick<PdfPage, 'pieces'>): TextLine[] {
  const drawn = new Map(pieces.map((piece, place) => [piece, place]));
  return withSmall(rowsOf(pieces)).flatMap((row) => rowLines(row, drawn));
}

/** Groups pieces by baseline, from top to bottom. The baselines with most text attract those close to them. */
function rowsOf(pieces: readonly TextPiece[]): TextPiece[][] {
  const exact = baselineRows(pieces).map((row) => ({
    ...row,
    size: largestSize(row.pieces),
    letters: row.pieces.reduce((sum, { text }) => sum + text.length, 0),
  }));
  const rowOf = new Map<number, number>();
  for (const at of exact.map((_, index) => index).sort((a, b) => exact[b]!.letters - exact[a]!.letters)) {
    if (rowOf.has(at)) continue;
    for (const step of [-1, 1])
      for (let next = at; ; next += step) {
        const [own, other] = [exact[at]!, exact[next]];
        if (!other || Math.abs(own.y - other.y) >= Math.min(own.size, other.size) * 0.4) break;
        if (rowOf.has(next) && next !== at) break;
        rowOf.set(next, at);
      }
  }
  const rows = new Map<number, TextPiece[]>();
  for (const [at, { pieces: own }] of exact.entries()) {
    const place = rowOf.get(at)!;
    const row = rows.get(place);
    if (row) row.push(...own);
    else rows.set(place, [...own]);
  }
  return [...rows.values()];
}

/** Moves superscripts and subscripts of a row to the rows next to them. */
function withSmall(rows: readonly TextPiece[][]): TextPiece[][] {
  const whole: TextPiece[][] = [];
  let raised: TextPiece[] = [];
  for (const [at, row] of rows.entries()) {
    const [forNext, own] = divideSmall(row, rows[at + 1] ?? [], RAISED);
    const above = whole.at(-1) ?? [];
    const [forLast, rest] = raised.length > 0 ? [[], own] : divideSmall(own, above, LOWERED);
    above.push(...forLast);
    if (rest.length === 0) raised.push(...forNext);
    else {
      whole.push([...rest, ...raised]);
      raised = forNext;
    }
  }
  return whole;
}

/** Returns the small pieces of a row that touch another row, directly or through other small pieces, and the rest. */
function divideSmall(
  row: readonly TextPiece[],
  other: readonly TextPiece[],
  most: number,
): [small: TextPiece[], rest: TextPiece[]] {
  const largest = largestSize(other) * SMALL;
  const small = row.filter(({ size }) => size <= largest).sort((a, b) => a.x - b.x);
  if (small.length === 0 || small.length * other.length > MOST_PAIRS) return [[], [...row]];
  const beside = small.map((piece) => other.some((letters) => isSmallBeside(piece, letters, most)));
  const spread = (at: number, next: number): void => {
    const [one, neighbour] = [small[at]!, small[next]];
    if (beside[at] && neighbour && distance(one, neighbour) < one.size * 0.3) beside[next] = true;
  };
  for (let at = 0; at < small.length; at++) spread(at, at + 1);
  for (let at = small.length - 1; at >= 0; at--) spread(at, at - 1);
  const found = new Set(small.filter((_, at) => beside[at]));
  return [[...found], row.filter((piece) => !found.has(piece))];
}

const distance = (one: TextPiece, other: TextPiece): number =>
  Math.min(Math.abs(one.x + one.width - other.x), Math.abs(other.x + other.width - one.x));

function isSmallBeside({ x, y, width, size }: TextPiece, other: TextPiece, most: number): boolean {
  // Small letters may begin before the end of a word, whose width may be too large.
  const gap = Math.max(x - other.x - other.width, other.x - x - width);
  return size <= other.size * SMALL && Math.abs(y - other.y) < other.size * most && gap < other.size * 0.25;
}

function rowLines(row: readonly TextPiece[], drawn: ReadonlyMap<TextPiece, number>): TextLine[] {
  const lines: TextLine[] = [];
  for (const piece of withShifts(fromTheLeft(row, drawn))) {
    const last = lines.at(-1);
    const gap = last ? piece.x - last.right : Infinity;
    const right = piece.x + piece.width;
    const words = shownText(piece);
    if (last === undefined || gap > LINE_GAP * Math.max(piece.size, last.size)) {
      const { x, y, size, bold } = piece;
      lines.push({
        text: words,
        x,
        right,
        y,
        size,
        bold,
        parts: [{ text: words, x, right }],
        pieces: [piece],
      });
      continue;
    }
    const isOver = areDrawnOver(last.pieces.at(-1)!, piece, -gap);
    const isOther = isOver || (gap > -WORD_GAP * piece.size && isNumberAt(last.pieces.at(-1)!, piece));
    const apart = (gap > WORD_GAP * piece.size || isOther) && !/\s$/.test(last.text) && !/^\s/.test(words);
    const blank = apart ? ' ' : '';
    last.text += blank + words;
    const part = last.parts.at(-1)!;
    if (gap > PART_GAP * piece.size) last.parts.push({ text: words, x: piece.x, right });
    else {
      part.text += blank + words;
      part.right = Math.max(part.right, right);
    }
    last.right = Math.max(last.right, right);
    // Use the size and baseline of the words: a footnote number is small.
    if (piece.size > last.size) [last.size, last.y] = [piece.size, piece.y];
    last.bold &&= piece.bold;
    last.pieces.push(piece);
  }
  return lines.map(inItsDirection);
}

/** Returns whether words or numbers are drawn over each other. Single letters over each other are a sign, such as a logo. */
function areDrawnOver(piece: TextPiece, next: TextPiece, overlap: number): boolean {
  const isWide = ({ size, width, text }: TextPiece) =>
    overlap >= Math.max(OVERLAP * size, width / text.length);
  if (piece.rise || next.rise || !isWide(piece) || !isWide(next)) return false;
  return /[\p{L}\p{N}]{2}\n[\p{L}\p{N}]{2}|\d\n\d/u.test(`${piece.text}\n${next.text}`);
}

/** Returns whether one of two pieces is a number at another height, such as that of a note, that is too large to count as raised. */
function isNumberAt(piece: TextPiece, next: TextPiece): boolean {
  const isLevel = Math.abs(piece.y - next.y) <= LEAST_RAISED * Math.max(piece.size, next.size);
  if (isLevel || piece.rise || next.rise) return false;
  const [end = '', begin = ''] = [piece.text.at(-1), next.text[0]];
  return hasDigit(begin) || (hasDigit(end) && hasWords(begin));
}

/** Sorts pieces by x; a piece drawn within another, such as the letter of `©`, stays in file order. */
function fromTheLeft(row: readonly TextPiece[], drawn: ReadonlyMap<TextPiece, number>): TextPiece[] {
  const ordered = [...row].sort((a, b) => a.x - b.x);
  for (let at = 1; at < ordered.length; at++) {
    const [outer, inner] = [ordered[at - 1]!, ordered[at]!];
    const isWithin = inner.x + inner.width <= outer.x + outer.width;
    if (isWithin && drawn.get(inner)! < drawn.get(outer)!) [ordered[at - 1], ordered[at]] = [inner, outer];
  }
  return ordered;
}

/**
 * Splits a page by text direction and rotates each part to run from left to right. The first part is the
 * page's main direction, the one with most letters; labels along a margin and diagonal stamps follow. Text of right-to-left scripts
 * is mirrored, so that its columns, lists and tables are laid out as those of other scripts.
 */
export function byDirection({ width, height, pieces, rules = [], pictures = [] }: DrawnPage): PdfPage[] {
  const groups = new Map<number, DrawnPiece[]>();
  for (const piece of pieces) {
    const own = groups.get(piece.degrees);
    if (own) own.push(piece);
    else groups.set(piece.degrees, [piece]);
  }
  const letters = (own: readonly DrawnPiece[]): number => own.reduce((sum, { text }) => sum + text.length, 0);
  return [...groups]
    .sort(([, a], [, b]) => letters(b) - letters(a))
    .map(([degrees, own]) => {
      const page = turned(own, degrees, { width, height, pictures });
      const whole = degrees === 0 ? { ...page, rules } : page;
      return runsToLeft(own) ? mirrored(whole) : whole;
    });
}

function mirrored({ width, height, pieces, rules, pictures = [] }: PdfPage): PdfPage {
  const moved = <Box extends Rule>(box: Box): Box => ({ ...box, x: width - box.right, right: width - box.x });
  return {
    width,
    height,
    pieces: pieces.map((piece) => ({ ...piece, x: width - piece.x - piece.width, mirrored: true })),
    ...(rules && { rules: rules.map(moved) }),
    pictures: pictures.map(moved),
  };
}

/** Rotates pieces that run at an angle so that they become horizontal. */
function turned(
  pieces: readonly DrawnPiece[],
  degrees: number,
  { width, height, pictures }: { width: number; height: number; pictures: readonly ShownPicture[] },
): PdfPage {
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  const place = (x: number, y: number): [number, number] => [x * cos + y * sin, y * cos - x * sin];
  const corners = [place(0, 0), place(width, 0), place(0, height), place(width, height)];
  const least = [0, 1].map((axis) => Math.min(...corners.map((corner) => corner[axis]!))) as [number, number];
  const most = [0, 1].map((axis) => Math.max(...corners.map((corner) => corner[axis]!))) as [number, number];
  return {
    width: most[0] - least[0],
    height: most[1] - least[1],
    pieces: pieces.map(({ degrees: _, ...piece }) => {
      const [across, up] = place(piece.x, piece.y);
      return { ...piece, x: across - least[0], y: up - least[1] };
    }),
    pictures: pictures.map((picture) => {
      const [one, other] = [place(picture.x, picture.y), place(picture.right, picture.top)];
      const [x, right] = [Math.min(one[0], other[0]) - least[0], Math.max(one[0], other[0]) - least[0]];
      const [y, top] = [Math.min(one[1], other[1]) - least[1], Math.max(one[1], other[1]) - least[1]];
      return { ...picture, x, right, y, top };
    }),
  };
}
