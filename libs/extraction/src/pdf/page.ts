/** Words at a place. Lengths are points; `y` counts from the foot of the page to the baseline. */
export interface TextPiece {
  text: string;
  x: number;
  y: number;
  width: number;
  /** Height of its letters. */
  size: number;
  bold: boolean;
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
  /** Those outside of what is shown of the page. */
  offPage?: DrawnPiece[];
  /** What it tells besides and does not show, each as it is named. */
  named?: string[];
}

/** Words of a page that run from left to right. */
export interface PdfPage {
  width: number;
  height: number;
  /** In the order in which the file draws them. */
  pieces: TextPiece[];
}

export interface LinePart {
  text: string;
  x: number;
  right: number;
}

/** Pieces beside each other on one baseline. */
export interface TextLine {
  text: string;
  x: number;
  right: number;
  y: number;
  size: number;
  /** All of its letters are. */
  bold: boolean;
  /** Its words, parted where more than a blank is between them: cells of tables may stand that close. */
  parts: LinePart[];
  /** Where it is a row of a table: its cells, and the number of the table on its page. */
  row?: { cells: string[]; table: number };
}

/** A gap of so many times the size of letters parts two lines beside each other; a smaller one two parts of a line, or two words. */
const LINE_GAP = 1.8;
const PART_GAP = 0.7;
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
    // A number of a note is small; the line is as large as its words.
    last.size = Math.max(last.size, piece.size);
    last.bold &&= piece.bold;
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
export function runsToLeft(row: readonly { text: string }[]): boolean {
  const text = row.map((piece) => piece.text).join('');
  return (text.match(RIGHT_TO_LEFT)?.length ?? 0) > (text.match(/[A-Za-z]/g)?.length ?? 0);
}
