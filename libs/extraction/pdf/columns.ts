import { runsToLeft, type TextLine } from './page.js';
import { rowsOf, tablesIn } from './tables.js';

/** Minimum number of lines of a column. */
const LEAST_LINES = 6;
/** Share of half the page width that most lines of a column fill; narrower text is a table. */
const FILLED = 0.55;

/** Returns the lines in reading order. Of two columns the left one is first, up to a line that spans both. */
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

/** For a page without columns, merges lines far apart on one baseline into table rows or single lines. */
function joined(lines: readonly TextLine[]): TextLine[] {
  const rows = rowsOf(lines);
  const tables = tablesIn(rows);
  const ordered: TextLine[] = [];
  for (let at = 0; at < rows.length; at++) {
    const table = tables.findIndex(({ from }) => from === at);
    if (table < 0) {
      ordered.push(oneLine(rows[at]!));
      continue;
    }
    const { cells, to } = tables[table]!;
    const toLeft = runsToLeft(rows.slice(at, to).flat());
    for (const texts of cells) {
      const own = toLeft ? texts.toReversed() : texts;
      ordered.push({ ...oneLine(rows[at]!), text: own.join(' '), row: { cells: own, table } });
    }
    at = to - 1;
  }
  return ordered;
}

function oneLine(row: readonly TextLine[]): TextLine {
  return row.reduce((line, next) => ({
    ...line,
    text: `${line.text.trimEnd()} ${next.text.trimStart()}`,
    right: next.right,
    parts: [...line.parts, ...next.parts],
    size: Math.max(line.size, next.size),
    // A heading is never spread over several places.
    bold: false,
  }));
}

/** Returns the x coordinate of the gap between two columns; null for a page with one column. */
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
