import type { TextLine } from './page.js';

/** Fewer lines than this on a side are no column. */
const LEAST_LINES = 6;
/** Part of half the page that most lines of a column fill; what fills less is a table. */
const FILLED = 0.55;

/** The lines of a page in reading order: of two columns the left one first, down to a line that goes over both. */
export function inReadingOrder(lines: readonly TextLine[]): TextLine[] {
  const gutter = gutterOf(lines);
  if (gutter === null) return joined(lines);
  const ordered: TextLine[] = [];
  let left: TextLine[] = [];
  let right: TextLine[] = [];
  for (const line of lines) {
    if (line.x < gutter && line.right > gutter) {
      ordered.push(...left, ...right, line);
      left = [];
      right = [];
    } else (line.right <= gutter ? left : right).push(line);
  }
  return [...ordered, ...left, ...right];
}

/** Without columns, what stands far apart on one baseline belongs together. */
function joined(lines: readonly TextLine[]): TextLine[] {
  const rows: TextLine[] = [];
  for (const line of lines) {
    const last = rows.at(-1);
    if (last && Math.abs(last.y - line.y) < Math.min(last.size, line.size) * 0.4 && line.x >= last.right)
      rows[rows.length - 1] = {
        ...last,
        text: `${last.text.trimEnd()} ${line.text.trimStart()}`,
        right: line.right,
        size: Math.max(last.size, line.size),
      };
    else rows.push(line);
  }
  return rows;
}

/** Where the blank between two columns is; null for a page with one column. */
function gutterOf(lines: readonly TextLine[]): number | null {
  const from = Math.min(...lines.map(({ x }) => x));
  const to = Math.max(...lines.map(({ right }) => right));
  const middle = (from + to) / 2;
  const left = lines.filter(({ right }) => right <= middle + (to - from) * 0.1);
  const right = lines.filter(({ x }) => x >= middle - (to - from) * 0.1);
  if (Math.min(left.length, right.length) < LEAST_LINES) return null;
  if (lines.length - left.length - right.length > lines.length * 0.3) return null;
  const end = Math.max(...left.map((line) => line.right));
  const start = Math.min(...right.map((line) => line.x));
  if (start <= end) return null;
  const fills = (side: readonly TextLine[]): boolean =>
    side.filter((line) => line.right - line.x > ((to - from) / 2) * FILLED).length > side.length / 2;
  return fills(left) && fills(right) ? (start + end) / 2 : null;
}
