import { linesOf } from './page.js';
import type { Rule } from './rules.js';
import { type LinePart, linesRunToLeft, type TextLine, type TextPiece } from './text-line.js';

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
  if (
    columns.length === 2 &&
    isProse(
      full.flatMap((row) => spansIn(row, columns)),
      width,
    )
  )
    return null;
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

/** Returns the widths that the words of a row take in its columns, without empty ones. */
function spansIn(row: readonly LinePart[], columns: readonly Column[]): Column[] {
  return columns.flatMap((_, column) => {
    const own = row.filter((part) => placeOf(columns, part) === column);
    return own.length === 0 ? [] : [{ x: own[0]!.x, right: own.at(-1)!.right }];
  });
}

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

/** Table drawn with lines around its cells. */
export interface RuledTable extends Rule {
  /** Cell texts by row; a cell that spans others has its text in the first of them. */
  rows: string[][];
  /** Middle of each row, in points from the bottom of the page. */
  middles: number[];
  pieces: ReadonlySet<TextPiece>;
}

/** Distance in points up to which lines touch or are the same. */
const NEAR = 2.5;
/** Most lines of a direction and cells; drawings and hostile pages have more. */
const MOST_LINES = 500;
const MOST_CELLS = 20_000;
/** Share of the cells with text from which a grid is a table, and most lines of text of a cell. */
const LEAST_FULL = 0.35;
const MOST_LINES_OF_CELL = 20;

/** Finds tables with bordered cells. Skips frames around a text, drawings and layouts of whole pages. */
export function ruledTables(pieces: readonly TextPiece[], rules: readonly Rule[]): RuledTable[] {
  const isLevel = ({ x, right, y, top }: Rule) => right - x > top - y;
  const level = mergeRules(rules.filter(isLevel), true);
  const upright = mergeRules(
    rules.filter((rule) => !isLevel(rule)),
    false,
  );
  if (level.length > MOST_LINES || upright.length > MOST_LINES) return [];
  const taken = new Set<TextPiece>();
  return gridsOf(level, upright).flatMap((grid) => {
    const table = tableIn(grid, pieces, taken);
    if (table === null) return [];
    for (const piece of table.pieces) taken.add(piece);
    return [table];
  });
}

/** Joins lines that continue each other. */
function mergeRules(rules: readonly Rule[], isLevel: boolean): Rule[] {
  const across = ({ x, y }: Rule) => Math.round((isLevel ? y : x) / NEAR);
  const along = (rule: Rule) => (isLevel ? rule.x : rule.y);
  const merged: Rule[] = [];
  for (const rule of [...rules].sort((a, b) => across(a) - across(b) || along(a) - along(b))) {
    const last = merged.at(-1);
    const end = last && (isLevel ? last.right : last.top);
    if (last && across(last) === across(rule) && along(rule) <= end! + NEAR) {
      last.right = Math.max(last.right, rule.right);
      last.top = Math.max(last.top, rule.top);
    } else merged.push({ ...rule });
  }
  return merged;
}

interface Grid {
  level: Rule[];
  upright: Rule[];
}

/** Groups lines that touch each other, as indices: first level lines, then upright lines. */
function gridsOf(level: readonly Rule[], upright: readonly Rule[]): Grid[] {
  const parents = Array.from({ length: level.length + upright.length }, (_, at) => at);
  const rootOf = (at: number): number => {
    while (parents[at] !== at) at = parents[at] = parents[parents[at]!]!;
    return at;
  };
  for (const [at, one] of level.entries())
    for (const [next, other] of upright.entries())
      if (
        one.x <= other.right + NEAR &&
        one.right >= other.x - NEAR &&
        other.y <= one.top + NEAR &&
        other.top >= one.y - NEAR
      )
        parents[rootOf(at)] = rootOf(level.length + next);
  const grids = new Map<number, Grid>();
  for (const at of parents.keys()) {
    const grid = grids.get(rootOf(at)) ?? { level: [], upright: [] };
    grids.set(rootOf(at), grid);
    if (at < level.length) grid.level.push(level[at]!);
    else grid.upright.push(upright[at - level.length]!);
  }
  return [...grids.values()];
}

function tableIn(
  { level, upright }: Grid,
  pieces: readonly TextPiece[],
  taken: ReadonlySet<TextPiece>,
): RuledTable | null {
  const columns = places(upright.map(({ x, right }) => (x + right) / 2));
  const lines = places(level.map(({ y, top }) => (y + top) / 2)).reverse();
  if (columns.length < 3 || lines.length < 3 || columns.length * lines.length > MOST_CELLS) return null;
  const box = { x: columns[0]!, right: columns.at(-1)!, y: lines.at(-1)!, top: lines[0]! };
  const free = pieces.filter((piece) => !taken.has(piece));
  const inside = free.filter(
    ({ x, width, y, size }) =>
      x + width / 2 > box.x &&
      x + width / 2 < box.right &&
      y + size * 0.3 > box.y &&
      y + size * 0.3 < box.top,
  );
  const cells = new Map<number, TextPiece[]>();
  const ownerOf = spansOf({ level, upright }, columns, lines);
  for (const piece of inside) {
    const column = columns.findLastIndex((x) => x < piece.x + Math.min(piece.width / 2, piece.size));
    const row = lines.findLastIndex((y) => y > piece.y + piece.size * 0.3);
    const cell = ownerOf(row, Math.max(0, column));
    const own = cells.get(cell);
    if (own) own.push(piece);
    else cells.set(cell, [piece]);
  }
  const width = columns.length - 1;
  const between = unruledBorders(cells, width, box);
  if (between.length > 0) return tableIn({ level: [...level, ...between], upright }, pieces, taken);
  const isMirrored = inside[0]?.mirrored ?? false;
  const filled = [...cells.keys()];
  const isTable =
    new Set(filled.map((cell) => Math.floor(cell / width))).size > 1 &&
    new Set(filled.map((cell) => cell % width)).size > 1 &&
    filled.length >= ownerOf.count * LEAST_FULL;
  if (!isTable) return null;
  const rows = Array.from({ length: lines.length - 1 }, () => new Array<string>(width).fill(''));
  for (const [cell, own] of cells) {
    const texts = linesOf({ pieces: own });
    if (texts.length > MOST_LINES_OF_CELL) return null;
    rows[Math.floor(cell / width)]![cell % width] = texts.map(({ text }) => text.trim()).join(' ');
  }
  if (linesRunToLeft(inside) !== isMirrored) for (const row of rows) row.reverse();
  const middles = rows.map((_, row) => (lines[row]! + lines[row + 1]!) / 2);
  const full = rows.flatMap((row, at) => (row.some((text) => text !== '') ? [at] : []));
  return {
    ...box,
    rows: full.map((at) => rows[at]!),
    middles: full.map((at) => middles[at]!),
    pieces: new Set(inside),
  };
}

/** Lines of a row with borders from which it is several rows. */
const LEAST_LINES = 3;
const NUMBER = /^[-−+(]?\p{Sc}?\d[\d\s.,'’%)-]*$/u;

/**
 * Returns borders between the lines of rows that frame several rows: most of their cells have as many lines, side by side,
 * and half of them a number in each line. No cell of a single row has several numbers.
 */
function unruledBorders(cells: ReadonlyMap<number, readonly TextPiece[]>, width: number, box: Rule): Rule[] {
  const rows = new Map<number, TextLine[][]>();
  for (const [cell, own] of cells) {
    const row = Math.floor(cell / width);
    rows.set(row, [...(rows.get(row) ?? []), linesOf({ pieces: [...own] })]);
  }
  return [...rows.values()].flatMap((row) => {
    const longest = row.reduce((most, lines) => (lines.length > most.length ? lines : most));
    const isBeside = (line: TextLine, at: number) => Math.abs(line.y - longest[at]!.y) <= NEAR;
    const whole = row.filter((lines) => lines.length === longest.length && lines.every(isBeside));
    const numbers = whole.filter((lines) => lines.every(({ text }) => NUMBER.test(text.trim())));
    const isSeveral =
      longest.length >= LEAST_LINES && whole.length * 2 > row.length && numbers.length * 2 >= whole.length;
    if (!isSeveral || numbers.length < 2) return [];
    return longest.slice(1).map(({ y, size }, at) => {
      const middle = (y + size + longest[at]!.y) / 2;
      return { x: box.x, right: box.right, y: middle, top: middle };
    });
  });
}

/** Returns distinct places in ascending order. */
function places(values: readonly number[]): number[] {
  const distinct: number[] = [];
  for (const value of [...values].sort((a, b) => a - b))
    if (distinct.length === 0 || value - distinct.at(-1)! > NEAR) distinct.push(value);
  return distinct;
}

/**
 * Returns a function from row and column to the number of the first cell without a border to it; `count` is the
 * number of such cells. Rows and columns count from the upper left.
 */
function spansOf(
  { level, upright }: Grid,
  columns: readonly number[],
  lines: readonly number[],
): ((row: number, column: number) => number) & { count: number } {
  const width = columns.length - 1;
  const owners = new Map<number, number>();
  const onLeft = columns.map((place) =>
    upright.filter(({ x, right }) => Math.abs((x + right) / 2 - place) <= NEAR),
  );
  const above = lines.map((place) => level.filter(({ y, top }) => Math.abs((y + top) / 2 - place) <= NEAR));
  for (let row = 0; row + 1 < lines.length; row++)
    for (let column = 0; column < width; column++) {
      const [y, x] = [(lines[row]! + lines[row + 1]!) / 2, (columns[column]! + columns[column + 1]!) / 2];
      const hasLeft = column === 0 || onLeft[column]!.some((rule) => rule.y <= y && rule.top >= y);
      const hasTop = row === 0 || above[row]!.some((rule) => rule.x <= x && rule.right >= x);
      const own = row * width + column;
      const owner = !hasLeft ? owners.get(own - 1) : !hasTop ? owners.get(own - width) : own;
      owners.set(own, owner ?? own);
    }
  const count = new Set(owners.values()).size;
  return Object.assign((row: number, column: number) => owners.get(row * width + column) ?? 0, { count });
}
