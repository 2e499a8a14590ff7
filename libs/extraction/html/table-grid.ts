/** A cell as HTML declares it. */
export interface SpanningCell {
  text: string;
  columns: number;
  rows: number;
}

/** More cells than this are not filled up for spans: a small page could declare billions. */
const MAX_CELLS = 1_000_000;
const MAX_SPAN = 1_000;

/** Reads a span attribute. Returns 1 for values outside HTML's range and values that are not numbers. */
export function spanOf(attribute: string | null): number {
  const span = Number(attribute);
  return Number.isInteger(span) && span > 1 ? Math.min(span, MAX_SPAN) : 1;
}

/** Reads the rows that a cell spans; Infinity for 0, which means all rows of its group. */
export const rowSpanOf = (attribute: string | null): number =>
  attribute?.trim() === '0' ? Infinity : spanOf(attribute);

/** Ends the spans of cells at the end of their group of rows, as a browser does. @param groups group of each row */
export function withinGroups(rows: readonly SpanningCell[][], groups: readonly unknown[]): SpanningCell[][] {
  const ends = groups.map(() => 0);
  for (let row = rows.length - 1; row >= 0; row--)
    ends[row] = groups[row] === groups[row + 1] ? ends[row + 1]! : row + 1;
  return rows.map((cells, row) =>
    cells.map((cell) => ({ ...cell, rows: Math.min(cell.rows, ends[row]! - row) })),
  );
}

/**
 * Returns the positions of the rows in the order in which a browser shows them: those of the first `thead` first, of the first `tfoot` last.
 *
 * @param groups group of each row
 */
export function shownOrder(groups: readonly ({ nodeName: string } | null)[]): number[] {
  const [head, foot] = ['thead', 'tfoot'].map((name) => groups.find((group) => group?.nodeName === name));
  const placeOf = (at: number) =>
    groups[at] === null ? 1 : groups[at] === head ? 0 : groups[at] === foot ? 2 : 1;
  return groups.map((_, at) => at).sort((a, b) => placeOf(a) - placeOf(b));
}

/**
 * Returns the rows of a table with every cell below its column's head. The text of a spanning cell is in its first place; the other places are
 * empty.
 */
export function gridOf(rows: readonly SpanningCell[][]): string[][] {
  const isTooLarge =
    rows.flat().reduce((sum, { columns, rows: down }) => sum + columns * down, 0) > MAX_CELLS;
  if (isTooLarge) return rows.map((row) => row.map(({ text }) => text));
  /** Rows that a cell above still covers, by column. */
  const covered: number[] = [];
  let columns = 0;
  const grid = rows.map((row) => {
    const line: string[] = [];
    const skipCovered = () => {
      while ((covered[line.length] ?? 0) > 0) {
        covered[line.length]!--;
        line.push('');
      }
    };
    for (const cell of row) {
      skipCovered();
      columns = Math.max(columns, line.length + 1);
      for (let column = 0; column < cell.columns; column++) {
        covered[line.length] = cell.rows - 1;
        line.push(column === 0 ? cell.text : '');
      }
    }
    skipCovered();
    return line;
  });
  // Columns in which no cell begins have no width.
  return grid.map((line) => line.slice(0, columns));
}
