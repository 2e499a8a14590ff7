import type { LinePart, TextLine } from './text-line.js';

/** Minimum number of rows of a table. */
const LEAST_ROWS = 3;
/** Two columns with mostly wider cells, relative to the page, are prose. */
const PROSE = 0.3;
/** Columns closer than this, relative to the font size, may be the words of a single column. */
const CLOSE = 1.8;
/** Rows with a larger distance of baselines, relative to the font size, belong to separate blocks. */
const APART = 4;
/** List markers, which come before their items and do not form a column. */
const MARK = /^(?:[•◦▪▫‣⁃●○■□∙·☐☑☒\uf0b7\uf0a7\uf0d8\uf0fc\uf076–-]|\(?\w{1,3}[.)])$/u;

/** Dot leaders from a table-of-contents entry to its page number. */
const LEADERS = /(?:\. ?){4}|…{2}/;

type Column = Pick<LinePart, 'x' | 'right'>;

/** A range of rows with the cell texts of each. */
interface FoundTable {
  /** First row that the table replaces; `to` is the row after the last. */
  from: number;
  to: number;
  cells: string[][];
}

/** Groups lines by baseline, from top to bottom; each row is ordered from left to right. */
export function rowsOf(lines: readonly TextLine[]): TextLine[][] {
  const rows: TextLine[][] = [];
  for (const line of lines) {
    const last = rows.at(-1)?.at(-1);
    if (last && Math.abs(last.y - line.y) < Math.min(last.size, line.size) * 0.4 && line.x >= last.right)
      rows.at(-1)!.push(line);
    else rows.push([line]);
  }
  return rows;
}

/** Finds tables without borders: three or more rows with words aligned in columns. */
export function tablesIn(rows: readonly TextLine[][]): FoundTable[] {
  const tables: FoundTable[] = [];
  const width =
    Math.max(...rows.flat().map(({ right }) => right)) - Math.min(...rows.flat().map(({ x }) => x));
  for (let from = 0; from < rows.length; from++) {
    if (partsOf(rows[from]!).length < 2 || hasLeaders(rows[from]!)) continue;
    const found = longest(rows, from, width);
    if (found === null) continue;
    tables.push(found);
    from = found.to - 1;
  }
  return tables;
}

/** Returns the longest table that begins at a row, or null. */
function longest(rows: readonly TextLine[][], from: number, width: number): FoundTable | null {
  let columns: Column[] = partsOf(rows[from]!);
  let to = from + 1;
  for (; to < rows.length && isNear(rows[to - 1]!, rows[to]!); to++) {
    const wider = merged(columns, rows[to]!);
    if (wider === null || hasLeaders(rows[to]!)) break;
    columns = wider;
  }
  // Trailing rows with words only in the first column belong to the next paragraph.
  while (to > from && partsOf(rows[to - 1]!).every((part) => placeOf(columns, part) === 0)) to--;
  const own = rows.slice(from, to).map(partsOf);
  const full = own.filter((row) => new Set(row.map((part) => placeOf(columns, part))).size > 1);
  if (full.length < LEAST_ROWS || full.length < own.length / 2) return null;
  if (full.every(([first]) => MARK.test(first!.text.trim()))) return null;
  if (columns.length === 2 && isProse(full.flat(), width)) return null;
  return { from, to, cells: cellsOf(own, columns) };
}

const partsOf = (row: readonly TextLine[]): LinePart[] => row.flatMap(({ parts }) => parts);

const hasLeaders = (row: readonly TextLine[]): boolean => row.some(({ text }) => LEADERS.test(text));

const isNear = ([above]: readonly TextLine[], [below]: readonly TextLine[]): boolean =>
  above!.y - below!.y > 0 && above!.y - below!.y < Math.max(above!.size, below!.size) * APART;

/** Returns the columns extended by one row; null if a part of the row spans columns that are far apart. */
function merged(columns: readonly Column[], row: readonly TextLine[]): Column[] | null {
  const closest = CLOSE * Math.max(...row.map(({ size }) => size));
  let wider = [...columns];
  for (const { x, right } of partsOf(row)) {
    const over = wider.filter((column) => x < column.right && right > column.x);
    if (over.some((column, i) => i > 0 && column.x - over[i - 1]!.right > closest)) return null;
    const whole = {
      x: Math.min(x, ...over.map((column) => column.x)),
      right: Math.max(right, ...over.map((column) => column.right)),
    };
    wider = [...wider.filter((column) => !over.includes(column)), whole].sort((a, b) => a.x - b.x);
  }
  return wider.length < 2 ? null : wider;
}

const placeOf = (columns: readonly Column[], part: Column): number =>
  columns.findIndex(({ x, right }) => part.x < right && part.right > x);

function isProse(cells: readonly Column[], width: number): boolean {
  return cells.filter(({ x, right }) => right - x > width * PROSE).length > cells.length * 0.6;
}

/** Returns the cell texts of each row; a row with an empty first column continues the cells above. */
function cellsOf(rows: readonly LinePart[][], columns: readonly Column[]): string[][] {
  const cells: string[][] = [];
  for (const row of rows) {
    const texts = columns.map(() => '');
    for (const part of row) {
      const at = placeOf(columns, part);
      texts[at] = `${texts[at]} ${part.text.trim()}`.trim();
    }
    const above = cells.at(-1);
    if (texts[0] === '' && above && above[0] !== '')
      texts.forEach((text, i) => (above[i] = `${above[i]} ${text}`.trim()));
    else cells.push(texts);
  }
  return cells;
}
