/** Words at a place. Lengths are points; `y` counts from the foot of the page to the baseline. */
export interface TextPiece {
  text: string;
  x: number;
  y: number;
  width: number;
  /** Height of its letters. */
  size: number;
}

/** Words at a place of the page, at the angle at which they run, counter-clockwise: whole degrees from 0 to 359. */
export interface DrawnPiece extends TextPiece {
  degrees: number;
}

/** A page as the file draws it. */
export interface DrawnPage {
  width: number;
  height: number;
  /** In the order in which the file draws them. */
  pieces: DrawnPiece[];
}

/** Words of a page that run from left to right. */
export interface PdfPage {
  width: number;
  height: number;
  /** In the order in which the file draws them. */
  pieces: TextPiece[];
}

/** Pieces beside each other on one baseline. */
export interface TextLine {
  text: string;
  x: number;
  right: number;
  y: number;
  size: number;
}

/** A gap of so many times the size of letters parts two lines beside each other; a smaller one two words. */
const LINE_GAP = 1.8;
const WORD_GAP = 0.15;
/** Letters of so many times the size of those beside them may stand higher or lower, by so many times that size: a note's number, an index. */
const SMALL = 0.8;
const RAISED = 0.6;
const LOWERED = 0.35;

/** The lines of a page from the top down; what stands far apart on one baseline is two lines. */
export function linesOf({ pieces }: PdfPage): TextLine[] {
  const drawn = new Map(pieces.map((piece, place) => [piece, place]));
  return withSmall(rowsOf(pieces)).flatMap((row) => rowLines(row, drawn));
}

/** Pieces by their baselines, from the top down. */
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

/** Joins rows of small letters that stand close beside larger ones to the row of these. */
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
      const { text, x, y, size, width } = piece;
      lines.push({ text, x, right: x + width, y, size });
      continue;
    }
    const apart = gap > WORD_GAP * piece.size && !/\s$/.test(last.text) && !/^\s/.test(piece.text);
    const blank = apart ? ' ' : '';
    last.text = toLeft ? piece.text + blank + last.text : last.text + blank + piece.text;
    last.right = Math.max(last.right, piece.x + piece.width);
    // A number of a note is small; the line is as large as its words.
    last.size = Math.max(last.size, piece.size);
  }
  return lines;
}

/** Pieces by where they begin; what is drawn within another, such as the letter of `©`, in the order of the file. */
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

/** Are most letters of a row of scripts that run from right to left? */
function runsToLeft(row: readonly TextPiece[]): boolean {
  const text = row.map((piece) => piece.text).join('');
  return (text.match(RIGHT_TO_LEFT)?.length ?? 0) > (text.match(/[A-Za-z]/g)?.length ?? 0);
}
