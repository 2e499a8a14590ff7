import { hasSpace } from '#contracts/text.js';
import { isLongLine } from './long-line.js';
import type { Nodes, RootContent, Table } from 'mdast';

/** Tables with more cells are parsed in parts. */
const MANY_CELLS = 1_000;
/** Cells per part. */
const CELLS_AT_ONCE = 300;

const isDelimiter = (row: string): boolean => /^ {0,3}\|[ \t|:-]*$/.test(row) && row.includes('-');

/** Returns the number of cells in a row, or one more. */
const cellsOf = (row: string): number => row.split('|').length - 1;

/** Returns the number of rows per part of a long table. */
export const rowsAtOnce = (delimiter: string): number =>
  Math.max(1, Math.floor(CELLS_AT_ONCE / cellsOf(delimiter)));

/** Returns whether consecutive lines look like one large table with a `|` at the start of every row. */
export function isLongTable(lines: readonly string[]): boolean {
  const [, delimiter = ''] = lines;
  if (!isDelimiter(delimiter) || lines.length * cellsOf(delimiter) <= MANY_CELLS) return false;
  return lines.every((line) => /^ {0,3}\|/.test(line));
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

/** Cost limit in units (about 20 ns each) per character; ordinary Markdown stays well below it. */
const UNITS_PER_CHARACTER = 250;
/** Pieces that cost less are always parsed. */
const SMALL = 2_000_000;
/** Maximum nesting of quotes and lists: parsers and tree visitors recurse this deep. */
export const DEEPEST = 100;

/**
 * Returns whether parsing a piece of Markdown takes much longer than its length suggests: the time grows with
 * the square of unmatched brackets and emphasis, unclosed code and comments, nesting and table cells. This is
 * an estimate from one pass over the characters, so a time limit is still required.
 */
export function isHardToParse(markdown: string): boolean {
  return isTooMuch(parseCost(markdown, costOfTable), markdown);
}

/** Returns whether `parseMarkdown`, which splits long tables, would leave some of the Markdown unparsed. */
export function isHardToRead(markdown: string): boolean {
  return isTooMuch(parseCost(markdown, costOfTableInParts), markdown);
}

const isTooMuch = (cost: number, markdown: string): boolean =>
  cost > Math.max(SMALL, UNITS_PER_CHARACTER * markdown.length);

const FENCE = /^[ \t>*+-]{0,200}(`{3,}|~{3,})/;
const ITEM = /^[ \t>]*[-*+][ \t]/;

/**
 * Returns the units of parsing cost beyond those linear in the length; `Infinity` if the nesting is too deep.
 */
function parseCost(markdown: string, tableCost: CostOfLines): number {
  let cost = 0;
  let fence: string | null = null;
  let together: string[] = [];
  const endOfRun = () => {
    cost += tableCost(together) + costOfLines(together);
    together = [];
  };
  for (const line of markdown.split(/\r\n|\n|\r/)) {
    if (depthOf(line) > DEEPEST) return Infinity;
    const marker = FENCE.exec(line)?.[1];
    const isMarker = marker !== undefined && (fence === null || marker.startsWith(fence));
    if (isMarker) fence = fence === null ? marker : null;
    if (isMarker || fence !== null || /^[ \t>]*$/.test(line)) endOfRun();
    else together.push(line);
  }
  endOfRun();
  return cost;
}

const CONTAINER = /([ \t]*)(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t]))/y;

/** Returns the number of quotes and lists that a line opens or continues; indentation may stand for lists. */
function depthOf(line: string): number {
  let depth = 0;
  CONTAINER.lastIndex = 0;
  for (let mark = CONTAINER.exec(line); mark !== null; mark = CONTAINER.exec(line))
    depth += 1 + Math.floor((mark[1] ?? '').length / 2);
  return depth;
}

/** Returns the cost of consecutive non-blank lines. */
type CostOfLines = (lines: string[]) => number;

/** @param lines consecutive non-blank lines */
function costOfLines(lines: string[]): number {
  let cost = lazyCost(lines);
  let from = 0;
  for (let to = 1; to <= lines.length; to++) {
    // Brackets and emphasis do not span items of a bulleted list.
    if (to < lines.length && !ITEM.test(lines[to] ?? '')) continue;
    const text = lines.slice(from, to).join('\n');
    cost += spanCost(text) + longRunCost(text) + unclosedCost(text) + addressCost(text);
    from = to;
  }
  return cost;
}

/**
 * Returns the cost of lazy continuation lines in quotes and items: each is compared with all lines before it.
 */
function lazyCost(lines: string[]): number {
  const isMarked = (line: string): boolean => /^[ \t]*(?:>|[-*+][ \t]|\d{1,9}[.)][ \t])/.test(line);
  if (!isMarked(lines[0] ?? '')) return 0;
  const lazy = lines.filter((line) => !isMarked(line) && !/^[ \t]/.test(line)).length;
  return 2 * lazy * lazy;
}

function costOfTable(lines: string[]): number {
  const isDelimiter = (line: string): boolean =>
    /^[ \t>|:-]+$/.test(line) && line.includes('|') && line.includes('-');
  if (!lines.some(isDelimiter)) return 0;
  const cells = lines.reduce((sum, line) => sum + line.split('|').length, 0);
  return cells * cells;
}

function costOfTableInParts(lines: string[]): number {
  if (!isLongTable(lines)) return costOfTable(lines);
  const cells = lines.map(cellsOf);
  const atOnce = cells.reduce((most, count) => Math.max(most, count), CELLS_AT_ONCE);
  return cells.reduce((sum, count) => sum + count, 0) * atOnce;
}

const MARK = /!?\[|\]|[*_~]+|[`<&\\\n]/g;

/** Returns the cost of brackets and emphasis: each closing mark is compared back to its opening mark. */
function spanCost(text: string): number {
  let marks = 0;
  let cost = 0;
  const opened: Record<string, number[]> = { '[': [], '*': [], _: [], '~': [] };
  const lookBack = (kind: string): number => marks - (opened[kind]?.pop() ?? 0);
  for (const { 0: mark, index } of text.matchAll(MARK)) {
    marks += 1;
    const kind = mark.startsWith('!') ? '[' : (mark[0] ?? '');
    if (kind === ']') cost += lookBack('[');
    else if (kind === '[') opened[kind]?.push(marks);
    else if (opened[kind] !== undefined) {
      const before = text[index - 1] ?? ' ';
      const after = text[index + mark.length] ?? ' ';
      if (!hasSpace(before)) cost += 3 * lookBack(kind);
      if (!hasSpace(after)) opened[kind]?.push(marks);
    }
  }
  return cost;
}

/**
 * Returns the cost of long emphasis runs: two marks at a time are matched, and the rest is copied each time.
 */
function longRunCost(text: string): number {
  return [...text.matchAll(/[*_]{100,}/g)].reduce((sum, { 0: run }) => sum + run.length ** 2, 0);
}

/** Opening marks and their closing marks. */
const CLOSED_BY: [RegExp, string][] = [
  [/<!--/g, '-->'],
  [/<\?/g, '?>'],
  [/<!\[CDATA\[/g, ']]>'],
  [/<![A-Za-z]/g, '>'],
];

/** Returns the cost of unclosed code, math and markup: the parser searches to the end of the text. */
function unclosedCost(text: string): number {
  let cost = 0;
  for (const [opening, end] of CLOSED_BY) {
    const last = text.lastIndexOf(end);
    for (const { index } of text.matchAll(opening)) if (index > last) cost += text.length - index;
  }
  const runs = [...text.matchAll(/`+|\$\$+/g)];
  const lastOf = new Map(runs.map(({ 0: run, index }) => [run, index]));
  for (const { 0: run, index } of runs) if (lastOf.get(run) === index) cost += text.length - index;
  return cost;
}

/**
 * Returns the cost of links and addresses: each moves the rest of the paragraph, and trailing punctuation is split off
 * one character at a time.
 */
function addressCost(text: string): number {
  const links = text.match(/\]\(/g)?.length ?? 0;
  const addresses = isLongLine(text) ? 0 : (text.match(/<[A-Za-z]|www\.|@|:\/\//gi)?.length ?? 0);
  const moved = 0.6 * links ** 2 + 0.4 * addresses ** 2;
  if (!/:\/\/|www\./i.test(text)) return moved;
  const runs = [...text.matchAll(/[!"&'),.:;<>?\]}]{100,}/g)];
  return runs.reduce((sum, { 0: run }) => sum + run.length ** 2, moved);
}
