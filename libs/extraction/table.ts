/**
 * Returns one row of a GFM table with a fixed number of columns; escapes pipes in cells and converts line
 * feeds to `<br>`.
 */
export function tableRow(cells: string[], columns: number): string {
  const padded = Array.from({ length: columns }, (_, i) =>
    (cells[i] ?? '')
      .trim()
      .replace(/\s*\n\s*/g, '<br>')
      .replace(/\|/g, '\\|'),
  );
  return `| ${padded.join(' | ')} |`;
}

/** Returns the lines of a GFM table whose first row is the head; there must be one. */
export function tableLines(rows: string[][]): string[] {
  const columns = Math.max(...rows.map((row) => row.length));
  const [head = '', ...body] = rows.map((row) => tableRow(row, columns));
  return [head, tableRow(new Array<string>(columns).fill('---'), columns), ...body];
}
