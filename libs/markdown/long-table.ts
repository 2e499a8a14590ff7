import type { Nodes, RootContent, Table } from 'mdast';

/** Tables with more cells are parsed in parts. */
const MANY_CELLS = 1_000;
/** Cells per part. */
export const CELLS_AT_ONCE = 300;

const isDelimiter = (row: string): boolean => /^ {0,3}\|[ \t|:-]*$/.test(row) && row.includes('-');

/** Returns the number of cells in a row, or one more. */
export const cellsOf = (row: string): number => row.split('|').length - 1;

/** Returns the number of rows per part of a long table. */
export const rowsAtOnce = (delimiter: string): number =>
  Math.max(1, Math.floor(CELLS_AT_ONCE / cellsOf(delimiter)));

/** Returns whether consecutive lines look like one large table with a `|` at the start of every row. */
export function isLongTable(lines: readonly string[]): boolean {
  const [head = '', delimiter = ''] = lines;
  if (!/^ {0,3}\|/.test(head) || !isDelimiter(delimiter)) return false;
  return lines.length * cellsOf(delimiter) > MANY_CELLS && lines.every((line) => /^ {0,3}\|/.test(line));
}

/**
 * Parses a block that is one long table in parts, each below the table's two head lines: the parser's time
 * grows with the square of a table's length.
 *
 * @param block whole lines
 * @param parse parses Markdown; positions are relative to its argument
 * @returns the table, with positions relative to `block`; null if the block is something else
 */
export function parseLongTable(block: string, parse: (markdown: string) => RootContent[]): Table | null {
  const lines = block.trimEnd().split('\n');
  if (!isLongTable(lines)) return null;
  const head = `${lines.slice(0, 2).join('\n')}\n`;
  let table: Table | null = null;
  const rowsOfPart = rowsAtOnce(lines[1] ?? '');
  let offset = head.length;
  for (let at = 2; at < lines.length; at += rowsOfPart) {
    const rows = lines.slice(at, at + rowsOfPart).join('\n');
    const [part, ...others] = parse(head + rows);
    if (part?.type !== 'table' || others.length > 0) return null;
    const body = part.children.slice(1);
    for (const row of body) shift(row, at - 2, offset - head.length);
    if (table === null) table = { ...part, children: [...part.children.slice(0, 1), ...body] };
    else for (const row of body) table.children.push(row);
    offset += rows.length + 1;
  }
  const end = table?.children.at(-1)?.position?.end;
  if (table?.position && end) table.position = { start: table.position.start, end };
  return table;
}

/** Shifts the positions of a tree by lines and characters; columns are unchanged. */
export function shift(node: Nodes, lines: number, offset: number): void {
  if (node.position) {
    const { start, end } = node.position;
    node.position = {
      start: { line: start.line + lines, column: start.column, offset: (start.offset ?? 0) + offset },
      end: { line: end.line + lines, column: end.column, offset: (end.offset ?? 0) + offset },
    };
  }
  if ('children' in node) for (const child of node.children) shift(child, lines, offset);
}
