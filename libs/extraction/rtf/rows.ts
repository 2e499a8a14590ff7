import type { SpanningCell } from '../html/table-grid.js';

/** Borders closer than this (in twips, 1/20 pt) are the same. */
const TOLERANCE = 60;
/** Tables with more different borders are read cell by cell. */
const MOST_BORDERS = 200;

/** The cells of a row as `\trowd` describes them. */
export interface RowDefinition {
  /** Right border of each cell in twips. */
  borders: number[];
  /** Cells that continue the one above them, by index. */
  covered: Set<number>;
}

export interface RtfRow {
  cells: string[];
  definition: RowDefinition;
}

/** Returns the cells of a table with the columns that they span. RTF only contains their positions on the page. */
export function spanningCells(rows: readonly RtfRow[]): SpanningCell[][] {
  const borders = columnsOf(rows);
  return rows.map(({ cells, definition }) => {
    let column = 0;
    return cells.map((text, index) => {
      const border = definition.borders[index];
      const end = borders === null || border === undefined ? column + 1 : columnAt(borders, border);
      const columns = Math.max(1, end - column);
      column += columns;
      return { text, columns, rows: 1 };
    });
  });
}

/** Returns the right borders of the columns of a table; null for too many. */
function columnsOf(rows: readonly RtfRow[]): number[] | null {
  const all = new Set(rows.flatMap(({ definition }) => definition.borders));
  if (all.size > 20 * MOST_BORDERS) return null;
  const distinct: number[] = [];
  for (const border of [...all].sort((a, b) => a - b))
    if (distinct.length === 0 || border - distinct.at(-1)! > TOLERANCE) distinct.push(border);
  return distinct.length > MOST_BORDERS ? null : distinct;
}

/** Returns the number of columns that end at or before a border. */
const columnAt = (borders: readonly number[], border: number) =>
  borders.filter((each) => each <= border).length;
