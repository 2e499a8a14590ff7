import type { Piece } from './piece.js';
import type { CountedText } from './word-table.js';

/** Cells of one row of a table, in the order of the file. */
type Row = (CountedText & { piece: Piece })[];

/** Most cells whose order is compared, and the most words of a line. */
const MOST_CELLS = 1_000;
const MOST_WORDS = 50_000;

/**
 * Finds cells that the text shows in another order than the file: the words of their row are on one line of the text, and each cell is, but not
 * one after the other. Time grows linearly with both.
 *
 * @param lines lines of the text
 * @returns the cells of such rows
 */
export function disorderedCells<Cell extends Row[number]>(
  cells: readonly Cell[],
  lines: readonly CountedText[],
): Set<Cell> {
  const lineOf = linesOfUniqueWords(lines);
  const found = new Set<Cell>();
  for (const row of rowsOf(cells)) {
    const anchor = row.flatMap(({ ids }) => ids).find((id) => lineOf.get(id) != null);
    const line = anchor === undefined ? undefined : lineOf.get(anchor);
    if (!line || row.length > MOST_CELLS || line.length > MOST_WORDS) continue;
    const whole = row.flatMap(({ ids }) => ids);
    const isWhole = containsAll(line, whole) && row.every(({ ids }) => isWithin(line, ids));
    if (isWhole && !isWithin(line, whole)) for (const cell of row) found.add(cell);
  }
  return found;
}

/** Returns the line of each word that the text has once; null for other words. */
function linesOfUniqueWords(lines: readonly CountedText[]): Map<number, readonly number[] | null> {
  const found = new Map<number, readonly number[] | null>();
  for (const { ids } of lines) for (const id of ids) found.set(id, found.has(id) ? null : ids);
  return found;
}

function rowsOf<Cell extends Row[number]>(cells: readonly Cell[]): Cell[][] {
  const rows: Cell[][] = [];
  let open = '';
  for (const cell of cells) {
    const row = cell.piece.row ?? rowAt(cell.piece.place);
    if (row !== '' && row === open) rows.at(-1)!.push(cell);
    else if (row !== '') rows.push([cell]);
    open = row;
  }
  return rows.filter((row) => row.length > 1);
}

/** Returns the row that a place names, such as `table 1, row 2, cell 3` or `sheet "Q1" B7`; '' for another place. */
function rowAt(place: string): string {
  const [, word] = /^(.{0,500}, row \d{1,9}), cell \d{1,9}$/s.exec(place) ?? [];
  const [, sheet, row] = /^(sheet ".{0,500}") [A-Z]{1,3}(\d{1,7})$/s.exec(place) ?? [];
  return word ?? (sheet === undefined ? '' : `${sheet} ${row}`);
}

function containsAll(line: readonly number[], ids: readonly number[]): boolean {
  const counts = new Map<number, number>();
  for (const id of line) counts.set(id, (counts.get(id) ?? 0) + 1);
  return ids.every((id) => {
    const left = counts.get(id) ?? 0;
    counts.set(id, left - 1);
    return left > 0;
  });
}

/** Returns whether a line has words in this order, perhaps with others between them. */
function isWithin(line: readonly number[], ids: readonly number[]): boolean {
  let at = 0;
  for (const id of line) if (id === ids[at]) at++;
  return at === ids.length;
}
