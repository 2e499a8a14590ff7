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
}

/** Positioned text with the angle of its direction, counter-clockwise, in whole degrees from 0 to 359. */
export interface DrawnPiece extends TextPiece {
  degrees: number;
}

/** Page in the file's coordinates. */
export interface DrawnPage {
  width: number;
  height: number;
  /** Text in drawing order. */
  pieces: DrawnPiece[];
  /** Text outside the visible area of the page. */
  offPage?: DrawnPiece[];
  /** Labelled texts that the page contains but does not show, such as notes. */
  named?: string[];
}

/** Text of a page that runs from left to right. */
export interface PdfPage {
  width: number;
  height: number;
  /** Text in drawing order. */
  pieces: TextPiece[];
}

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
  /** Cells of a table row and the number of its table on the page; absent outside tables. */
  row?: { cells: string[]; table: number };
}

/**
 * Minimum gap between two lines side by side, two parts of a line and two words, relative to the font size.
 */
const LINE_GAP = 1.8;
const PART_GAP = 0.7;
const WORD_GAP = 0.15;
/** Maximum size and vertical offset of superscripts and subscripts, relative to the letters next to them. */
const SMALL = 0.8;
const RAISED = 0.6;
const LOWERED = 0.35;

/** Returns the lines of a page from top to bottom; pieces far apart on one baseline form two lines. */
export function linesOf({ pieces }: PdfPage): TextLine[] {
  const drawn = new Map(pieces.map((piece, place) => [piece, place]));
  return withSmall(rowsOf(pieces)).flatMap((row) => rowLines(row, drawn));
}

/** Groups pieces by baseline, from top to bottom. */
function rowsOf(pieces: readonly TextPiece[]): TextPiece[][] {
  const rows: TextPiece[][] = [];
  for (const piece of [...pieces].sort((a, b) => b.y - a.y)) {
    const row = rows.at(-1);
    const first = row?.[0];
    if (row && first && first.y - piece.y < Math.min(first.size, piece.size) * 0.4) row.push(piece);
    else rows.push([piece]);
  }
  return rows;
}

/** Merges rows of superscripts and subscripts into the rows next to them. */
function withSmall(rows: readonly TextPiece[][]): TextPiece[][] {
  const whole: TextPiece[][] = [];
  let raised: TextPiece[] = [];
  for (const [at, row] of rows.entries()) {
    const [above, below] = [whole.at(-1), rows[at + 1]];
    if (below && row.every((piece) => isBeside(piece, below, RAISED))) {
      raised.push(...row);
      continue;
    }
    if (above && raised.length === 0 && row.every((piece) => isBeside(piece, above, LOWERED)))
      above.push(...row);
    else whole.push([...row, ...raised]);
    raised = [];
  }
  return whole;
}

function isBeside({ x, y, width, size }: TextPiece, row: readonly TextPiece[], most: number): boolean {
  return row.some((other) => {
    const touches = Math.min(Math.abs(other.x + other.width - x), Math.abs(x + width - other.x));
    return (
      size <= other.size * SMALL && Math.abs(y - other.y) < other.size * most && touches < other.size * 0.25
    );
  });
}

function rowLines(row: readonly TextPiece[], drawn: ReadonlyMap<TextPiece, number>): TextLine[] {
  const lines: TextLine[] = [];
  const toLeft = runsToLeft(row);
  for (const piece of fromTheLeft(row, drawn)) {
    const last = lines.at(-1);
    const gap = last ? piece.x - last.right : Infinity;
    if (last === undefined || gap > LINE_GAP * Math.max(piece.size, last.size)) {
      const { text, x, y, size, width, bold } = piece;
      const parts = [{ text, x, right: x + width }];
      lines.push({ text, x, right: x + width, y, size, bold, parts });
      continue;
    }
    const apart = gap > WORD_GAP * piece.size && !/\s$/.test(last.text) && !/^\s/.test(piece.text);
    const blank = apart ? ' ' : '';
    const append = (text: string) => (toLeft ? piece.text + blank + text : text + blank + piece.text);
    last.text = append(last.text);
    const part = last.parts.at(-1)!;
    if (gap > PART_GAP * piece.size)
      last.parts.push({ text: piece.text, x: piece.x, right: piece.x + piece.width });
    else {
      part.text = append(part.text);
      part.right = Math.max(part.right, piece.x + piece.width);
    }
    last.right = Math.max(last.right, piece.x + piece.width);
    // A footnote number is small; the size of a line is that of its words.
    last.size = Math.max(last.size, piece.size);
    last.bold &&= piece.bold;
  }
  return lines;
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

const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC]/g;

/** Returns whether most letters of a row belong to right-to-left scripts. */
export function runsToLeft(row: readonly { text: string }[]): boolean {
  const text = row.map((piece) => piece.text).join('');
  return (text.match(RIGHT_TO_LEFT)?.length ?? 0) > (text.match(/[A-Za-z]/g)?.length ?? 0);
}
