/**
 * Returns one row of a GFM table with a fixed number of columns; escapes pipes in cells and converts line
 * feeds to `<br>`.
 */
function tableRow(cells: string[], columns: number): string {
  const padded = Array.from({ length: columns }, (_, i) =>
    (cells[i] ?? '')
      .trim()
      .replace(/\s*\n\s*/g, '<br>')
      .replaceAll('|', '\\|'),
  );
  return `| ${padded.join(' | ')} |`;
}

/** Larger tables omit empty cells at the ends of rows, so that one long row does not lengthen all others. */
const MOST_PLACES = 2_000_000;

/** Returns the lines of a GFM table. The first row is the head and is required. */
export function tableLines(rows: readonly string[][]): string[] {
  const columns = rows.reduce((most, row) => Math.max(most, row.length), 1);
  const isHuge = columns * rows.length > MOST_PLACES;
  const [head = '', ...body] = rows.map((row, index) =>
    tableRow(row, isHuge && index > 0 ? Math.max(1, row.length) : columns),
  );
  return [head, tableRow(new Array<string>(columns).fill('---'), columns), ...body];
}

/** Returns a row of a table inside a cell as a line of that cell; empty for a row without words. */
export function innerRow(cells: readonly string[]): string {
  return cells.some((cell) => cell !== '') ? cells.join(' · ').trim() : '';
}
