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
