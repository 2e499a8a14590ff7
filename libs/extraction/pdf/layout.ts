import { linesOf } from './page.js';
import { type BaselineRow, baselineRows, largestSize, type TextLine, type TextPiece } from './text-line.js';

/** Minimum number of lines of each column, and the minimum if baselines or letters differ, such as in a sidebar. */
const LEAST_LINES = 4;
const LEAST_DIFFERENT = 2;
/** Minimum width of the first line of columns with fewer lines than `LEAST_LINES`, in font sizes. */
const SHORT_WIDTH = 13;
/** Minimum width of the middle line of a column, and of most lines relative to the widest; in font sizes. */
const LINE_WIDTH = 7;
const DIFFERENT_WIDTH = 4.5;
const FILLED = 0.55;
/** Minimum number of such lines in a column of prose that contains a table. */
const MANY = 8;
/** Minimum width of a line that another one continues, relative to the widest, in scripts without capital letters. */
const FULL = 0.75;
const SENTENCE_END = /[.!?:;…。！？،؟][\p{P}]{0,3}\s*$/u;
/** Share of lines on common baselines from which columns may belong to a table. */
const ALIGNED = 0.8;
const APART = 0.34;
/** Share of the rows of a column from which white space within them divides cells. */
const MOSTLY = 0.4;
/** Distance of their ends, relative to the font size, and share of lines with wide blanks that end at one place in justified text. */
const EDGE = 0.3;
const JUSTIFIED = 0.6;
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
  /** Width of the middle line, not counting small cells in prose, and width of a wide line, in font sizes. */
  middle: number;
  wide: number;
  size: number;
}

function sideOf(pieces: readonly TextPiece[]): Side {
  const whole = linesOf({ pieces: [...pieces] });
  const areCells = !areJustified(whole) || haveGutter(pieces);
  const lines = whole.flatMap(({ parts, x, right, text, size, y }) =>
    (areCells ? parts : [{ x, right, text }]).map((part) => ({
      ...{ width: (part.right - part.x) / size, size, y, text: part.text },
    })),
  );
  const widths = lines.map(({ width }) => width).sort((a, b) => a - b);
  const wide = widths[Math.floor((widths.length - 1) * 0.9)] ?? 0;
  // The many small cells of a table in a column do not outweigh its prose.
  const full = widths.filter((width) => width > wide * FILLED);
  const own = full.length >= MANY && total(full) * 2 > total(widths) ? full : widths;
  const middle = own[Math.floor((own.length - 1) / 2)] ?? 0;
  return { lines, middle, wide, size: usualSize(pieces) };
}

const total = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0);

/** Returns whether the lines with wide blanks end at one place, to which programs stretch the lines of a column. */
function areJustified(lines: readonly TextLine[]): boolean {
  const ends = lines.map(({ right }) => right).sort((a, b) => a - b);
  const edge = ends[Math.floor(ends.length / 2)] ?? 0;
  const spread = lines.filter(({ parts }) => parts.length > 1);
  const isStretched = ({ right, size }: TextLine) => Math.abs(right - edge) < size * EDGE;
  return ends.length >= LEAST_LINES && spread.filter(isStretched).length > spread.length * JUSTIFIED;
}

/** Returns whether most rows have white space at one place, as cells do; that between the words of justified lines varies. */
function haveGutter(pieces: readonly TextPiece[]): boolean {
  const rows = baselineRows(pieces);
  const [widest] = guttersOf(rows, usualSize(pieces), LEAST_DIFFERENT);
  return widest !== undefined && lesser(widest) > rows.length * MOSTLY;
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
  const isFilled = ({ middle, wide }: Side) => middle > wide * FILLED;
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

/** White space between two columns. `from` and `to` are its first and last row, `x` is within it. */
interface Gutter {
  from: number;
  to: number;
  x: number;
  /** Rows with text on the left and on the right. */
  left: number;
  right: number;
}

/** Minimum width of a gutter relative to the font size; a blank of a typewriter font has 0.6. */
const NARROWEST = 0.62;
/** Width of a bin in points, and maximum number of bins of a page. */
const BIN = 0.5;
const MOST_BINS = 3_000;
/** Maximum number of rows times bins; hostile pages exceed it. */
const MOST_CELLS = 2_000_000;

/**
 * Returns the vertical strips of white space with text on both sides, the strips along most rows first.
 *
 * @param size usual font size in points
 * @param least minimum number of rows on each side
 */
function guttersOf(rows: readonly BaselineRow[], size: number, least: number): Gutter[] {
  const all = rows.flatMap(({ pieces }) => pieces);
  const start = all.reduce((x, piece) => Math.min(x, piece.x), Infinity);
  const end = all.reduce((x, piece) => Math.max(x, piece.x + piece.width), -Infinity);
  if (!(end - start > size * NARROWEST)) return [];
  const bin = Math.max(BIN, (end - start) / MOST_BINS);
  const bins = Math.ceil((end - start) / bin);
  if (bins * rows.length > MOST_CELLS) return [];
  const width = Math.ceil((size * NARROWEST) / bin) + 1;
  const grid = new Grid(rows, { start, bin, bins, width });
  const found = new Map<number, Gutter & { bins: number }>();
  for (let at = 0; at < bins; at++)
    for (const strip of grid.stripsAt(at)) {
      if (Math.min(strip.left, strip.right) < least) continue;
      const key = strip.from * rows.length + strip.to;
      const wider = found.get(key);
      if (!wider) found.set(key, { ...strip, x: start + (at + width / 2) * bin, bins: 1 });
      // Use the middle of neighbouring strips along the same rows.
      else if (wider.left === strip.left && wider.right === strip.right) {
        wider.bins++;
        wider.x += bin / 2;
      }
    }
  return [...found.values()].sort((a, b) => lesser(b) - lesser(a) || b.bins - a.bins);
}

const lesser = ({ left, right }: Gutter): number => Math.min(left, right);

interface Scale {
  start: number;
  bin: number;
  bins: number;
  /** Width of a strip in bins. */
  width: number;
}

/** White space in the rows of a region. */
class Grid {
  /** 1 if a strip of white space begins at a bin, by bin and row. */
  private readonly white: Uint8Array;
  /** First and last bin with text, by row. */
  private readonly first: Int32Array;
  private readonly last: Int32Array;
  private readonly height: number;

  constructor(
    rows: readonly BaselineRow[],
    private readonly scale: Scale,
  ) {
    const { start, bin, bins, width } = scale;
    this.height = rows.length;
    this.white = new Uint8Array(bins * rows.length);
    this.first = new Int32Array(rows.length).fill(bins);
    this.last = new Int32Array(rows.length).fill(-1);
    const inked = new Uint8Array(bins);
    for (const [at, { pieces }] of rows.entries()) {
      inked.fill(0);
      for (const piece of pieces) {
        const from = Math.min(bins - 1, Math.round((piece.x - start) / bin));
        const to = Math.min(bins, Math.max(from + 1, Math.round((piece.x + piece.width - start) / bin)));
        inked.fill(1, from, to);
        this.first[at] = Math.min(this.first[at]!, from);
        this.last[at] = Math.max(this.last[at]!, to - 1);
      }
      let free = 0;
      for (let place = bins - 1; place >= 0; place--) {
        free = inked[place] === 0 ? free + 1 : 0;
        if (free >= width) this.white[place * this.height + at] = 1;
      }
    }
  }

  /** Yields the longest strips that begin at a bin. */
  *stripsAt(place: number): Generator<Omit<Gutter, 'x'>> {
    const end = place + this.scale.width;
    let [from, left, right] = [0, 0, 0];
    for (let at = 0; at <= this.height; at++) {
      if (at < this.height && this.white[place * this.height + at] === 1) {
        if (this.first[at]! < place) left++;
        if (this.last[at]! >= end) right++;
        continue;
      }
      if (left > 0 && right > 0) yield { from, to: at - 1, left, right };
      [from, left, right] = [at + 1, 0, 0];
    }
  }
}
