/** Words at a place. Lengths are points; `y` counts from the foot of the page to the baseline. */
export interface TextPiece {
  text: string;
  x: number;
  y: number;
  width: number;
  /** Height of its letters. */
  size: number;
  /** Runs from left to right, not turned. */
  upright: boolean;
}

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

/** The lines of a page from the top down; what stands far apart on one baseline is two lines. */
export function linesOf(page: PdfPage): TextLine[] {
  const rows: TextPiece[][] = [];
  const pieces = page.pieces.filter(({ upright }) => upright).sort((a, b) => b.y - a.y);
  for (const piece of pieces) {
    const row = rows.at(-1);
    const first = row?.[0];
    if (row && first && first.y - piece.y < Math.min(first.size, piece.size) * 0.4) row.push(piece);
    else rows.push([piece]);
  }
  return rows.flatMap(rowLines);
}

function rowLines(row: TextPiece[]): TextLine[] {
  const lines: TextLine[] = [];
  const toLeft = runsToLeft(row);
  for (const piece of row.sort((a, b) => a.x - b.x)) {
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

const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC]/g;

/** Are most letters of a row of scripts that run from right to left? */
function runsToLeft(row: readonly TextPiece[]): boolean {
  const text = row.map((piece) => piece.text).join('');
  return (text.match(RIGHT_TO_LEFT)?.length ?? 0) > (text.match(/[A-Za-z]/g)?.length ?? 0);
}
