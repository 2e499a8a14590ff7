import { linesRunToLeft } from './line-direction.js';
import { linesOf } from './page.js';
import type { Rule } from './rules.js';
import type { TextPiece } from './text-piece.js';

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
