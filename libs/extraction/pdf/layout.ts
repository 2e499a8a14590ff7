import { baselineRows, largestSize, type BaselineRow } from './baselines.js';
import { guttersOf, type Gutter } from './gutters.js';
import { linesOf } from './page.js';
import type { TextPiece } from './text-piece.js';

/** Minimum number of lines of each column, and the minimum if baselines or letters differ, such as in a sidebar. */
const LEAST_LINES = 4;
const LEAST_DIFFERENT = 2;
/** Minimum width of the first line of columns with fewer lines than `LEAST_LINES`, in font sizes. */
const SHORT_WIDTH = 13;
/** Minimum width of the middle line of a column, and of most lines relative to the widest; in font sizes. */
const LINE_WIDTH = 7;
const DIFFERENT_WIDTH = 4.5;
const FILLED = 0.55;
/** Minimum width of a line that another one continues, relative to the widest, in scripts without capital letters. */
const FULL = 0.75;
const SENTENCE_END = /[.!?:;…。！？،؟][\p{P}]{0,3}\s*$/u;
/** Share of lines on common baselines from which columns may belong to a table. */
const ALIGNED = 0.8;
const APART = 0.34;
/** Minimum share of lines in prose that begin with a small letter. */
const GOES_ON = 0.15;
/** Minimum size of heading letters relative to the text. */
const HEADING = 1.14;
/** A heading spans the columns if the nearest baseline on the right is this many times its font size away. */
const HOLE = 1.7;
/** Distance below columns, in font sizes, from which a line does not belong to them: in general, and if the columns end within `BALANCED` of each other. */
const FAR_BELOW = 3.5;
const BELOW = 2.2;
const BALANCED = 2.5;
/** Maximum number of candidates per region, and of splits of a page. */
const MOST_CANDIDATES = 16;
const MOST_SPLITS = 40;

/**
 * Divides the pieces of a page into blocks in reading order: the left column comes before the right one. Text that
 * spans columns, above or below them, is separate. Columns are found by the white space between them.
 */
export function readingBlocks(pieces: readonly TextPiece[]): TextPiece[][] {
  const blocks: TextPiece[][] = [];
  let splits = 0;
  const stack: TextPiece[][] = [[...pieces]];
  for (let region = stack.pop(); region; region = stack.pop()) {
    const parts = splits < MOST_SPLITS ? split(region) : null;
    if (parts === null) blocks.push(region);
    else {
      splits++;
      stack.push(...parts.filter((part) => part.length > 0).reverse());
    }
  }
  return blocks;
}

/** Returns the pieces above, left of, right of and below the best gutter; null for a region without columns. */
function split(region: readonly TextPiece[]): TextPiece[][] | null {
  if (region.length < LEAST_DIFFERENT * 2) return null;
  const rows = baselineRows(region);
  const size = usualSize(region);
  for (const candidate of guttersOf(rows, size, LEAST_DIFFERENT).slice(0, MOST_CANDIDATES)) {
    const gutter = withoutEnds(withoutSpanning(candidate, rows, size), rows, size);
    const [left, right] = sidesOf(rows, gutter);
    if (!areColumns(left, right)) continue;
    const piecesOf = (part: readonly BaselineRow[]) => part.flatMap((row) => row.pieces);
    return [piecesOf(rows.slice(0, gutter.from)), left, right, piecesOf(rows.slice(gutter.to + 1))];
  }
  return null;
}

function sidesOf(rows: readonly BaselineRow[], { from, to, x }: Gutter): [TextPiece[], TextPiece[]] {
  const pieces = rows.slice(from, to + 1).flatMap((row) => row.pieces);
  return [pieces.filter((piece) => isLeft(piece, x)), pieces.filter((piece) => !isLeft(piece, x))];
}

const isLeft = (piece: TextPiece, x: number): boolean => piece.x + piece.width / 2 < x;

/** Cuts a gutter at headings that span the columns without crossing it: the other side is empty there. */
function withoutSpanning(gutter: Gutter, rows: readonly BaselineRow[], size: number): Gutter {
  const own = rows.slice(gutter.from, gutter.to + 1);
  const onRight = own.flatMap(({ y, pieces }) =>
    pieces.some((piece) => !isLeft(piece, gutter.x)) ? [y] : [],
  );
  let [from, best] = [gutter.from, { ...gutter, to: gutter.from - 1 }];
  let next = 0;
  for (let at = gutter.from; at <= gutter.to + 1; at++) {
    const row = rows[at];
    const isIn = row !== undefined && at <= gutter.to;
    if (isIn) {
      while (next < onRight.length && onRight[next]! > row.y) next++;
      const large = largestSize(row.pieces);
      const near = Math.min((onRight[next - 1] ?? Infinity) - row.y, row.y - (onRight[next] ?? -Infinity));
      if (large < size * HEADING || near < large * HOLE) continue;
    }
    if (at - from > best.to - best.from + 1) best = { ...gutter, from, to: at - 1 };
    from = at + 1;
  }
  return best;
}

/** Removes single lines far above or below the columns, such as a date or a page number. */
function withoutEnds(gutter: Gutter, rows: readonly BaselineRow[], size: number): Gutter {
  let { from, to } = gutter;
  const isOneSided = ({ pieces }: BaselineRow) =>
    new Set(pieces.map((piece) => isLeft(piece, gutter.x))).size === 1;
  // A single line below columns of equal length belongs to neither.
  const gapBelow = (at: number): number => {
    const last = [true, false].map((left) =>
      rows.slice(from, at).findLast(({ pieces }) => pieces.some((piece) => isLeft(piece, gutter.x) === left)),
    );
    return last.every((row) => row && row.y - rows[at - 1]!.y < size * BALANCED) ? BELOW : FAR_BELOW;
  };
  while (from < to && isOneSided(rows[from]!) && rows[from]!.y - rows[from + 1]!.y > size * 2.2) from++;
  while (from < to && isOneSided(rows[to]!) && rows[to - 1]!.y - rows[to]!.y > size * gapBelow(to)) to--;
  return { ...gutter, from, to };
}

interface Side {
  lines: { width: number; size: number; y: number; text: string }[];
  /** Width of the middle line and of a wide line, in font sizes. */
  middle: number;
  wide: number;
  size: number;
}

function sideOf(pieces: readonly TextPiece[]): Side {
  const lines = linesOf({ pieces: [...pieces] }).flatMap(({ parts, size, y }) =>
    parts.map(({ x, right, text }) => ({ width: (right - x) / size, size, y, text })),
  );
  const widths = lines.map(({ width }) => width).sort((a, b) => a - b);
  const at = (share: number) => widths[Math.floor((widths.length - 1) * share)] ?? 0;
  return { lines, middle: at(0.5), wide: at(0.9), size: usualSize(pieces) };
}

/** Returns whether two neighbouring blocks are columns of prose and not columns of a table. */
function areColumns(left: readonly TextPiece[], right: readonly TextPiece[]): boolean {
  const sides = [sideOf(left), sideOf(right)] as const;
  const least = Math.min(...sides.map(({ lines }) => lines.length));
  if (least < LEAST_DIFFERENT) return false;
  const aligned = alignedShare(...sides);
  const [small = 0, large = 0] = sides.map(({ size }) => size).sort((a, b) => a - b);
  const isDifferent = aligned < APART || (aligned < ALIGNED && small < large * 0.92);
  const width = isDifferent ? DIFFERENT_WIDTH : LINE_WIDTH;
  if (sides.some(({ middle }) => middle < width)) return false;
  const isShort = least < (isDifferent ? LEAST_DIFFERENT : LEAST_LINES);
  if (isShort && !sides.every(areSentences)) return false;
  const isFilled = ({ lines, wide }: Side) =>
    lines.filter((line) => line.width > wide * FILLED).length * 2 > lines.length;
  if (!sides.every(isFilled)) return false;
  return aligned < ALIGNED || isProse(sides.flatMap(({ lines }) => lines.map(({ text }) => text)));
}

/** Returns whether some line continues the line above it, and no line seems to be a separate text, such as a cell of a table. */
function areSentences({ lines, wide }: Side): boolean {
  const pairs = lines.slice(1).map((line, at) => ({ line, before: lines[at]! }));
  const open = pairs.filter(({ before }) => !SENTENCE_END.test(before.text));
  const isContinued = ({ line, before }: (typeof pairs)[number]) =>
    /\p{Ll}|\p{Lu}/u.test(line.text)
      ? /^\P{L}{0,3}\p{Ll}/u.test(line.text)
      : before.width > wide * FULL && /\S\s+\S+\s+\S/u.test(before.text);
  return lines[0]!.width >= SHORT_WIDTH && open.length > 0 && open.every(isContinued);
}

/** Returns the share of the lines of the shorter side that have a line on their baseline on the other side. */
function alignedShare(left: Side, right: Side): number {
  const [few, many] = left.lines.length < right.lines.length ? [left, right] : [right, left];
  const places = new Set(
    many.lines.flatMap(({ y }) => [Math.round(y), Math.round(y - 0.5), Math.round(y + 0.5)]),
  );
  return few.lines.filter(({ y }) => places.has(Math.round(y))).length / Math.max(1, few.lines.length);
}

/** Returns whether lines continue each other; cells of a table rarely begin with a small letter. */
function isProse(texts: readonly string[]): boolean {
  const small = texts.filter((text) => /^\P{L}{0,3}\p{Ll}/u.test(text)).length;
  const hasCase = texts.some((text) => /\p{Ll}/u.test(text));
  return !hasCase || small >= texts.length * GOES_ON;
}

/** Returns the font size of most letters. */
function usualSize(pieces: readonly TextPiece[]): number {
  const letters = new Map<number, number>();
  for (const { size, text } of pieces) letters.set(size, (letters.get(size) ?? 0) + text.length);
  return [...letters].reduce((best, entry) => (entry[1] > best[1] ? entry : best), [0, 0] as const)[0];
}
