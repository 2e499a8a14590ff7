import { isLongLine } from './long-line.js';
import { CELLS_AT_ONCE, cellsOf, isLongTable } from './long-table.js';

/** Ordinary markdown stays well below this many units (about 20 ns each) a character. */
const UNITS_PER_CHARACTER = 250;
/** Pieces that take no longer than this are parsed, whatever they hold. */
const SMALL = 2_000_000;
/** Quotes and lists within each other: parsers, and what walks their trees, recurse as deeply. */
export const DEEPEST = 100;

/**
 * Whether a piece of markdown takes the parser longer than its length explains: its time grows with the square of unmatched
 * brackets and emphasis, of unclosed code and comments, of nesting and of table cells. An estimate from one pass over the
 * characters, so a limit of time has to stand behind it.
 */
export function isHardToParse(markdown: string): boolean {
  return isTooMuch(parseCost(markdown, costOfTable), markdown);
}

/** Whether `parseMarkdown`, which takes long tables some rows at a time, would give a part of the markdown up as hard to parse. */
export function isHardToRead(markdown: string): boolean {
  return isTooMuch(parseCost(markdown, costOfTableInParts), markdown);
}

const isTooMuch = (cost: number, markdown: string): boolean =>
  cost > Math.max(SMALL, UNITS_PER_CHARACTER * markdown.length);

const FENCE = /^[ \t>*+-]{0,200}(`{3,}|~{3,})/;
const ITEM = /^[ \t>]*[-*+][ \t]/;

/** Units that parsing takes beyond the time proportional to the length; `Infinity` for what nests too deeply. */
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

/** How many quotes and lists a line opens or goes on with; indentation in front of a marker may stand for lists. */
function depthOf(line: string): number {
  let depth = 0;
  CONTAINER.lastIndex = 0;
  for (let mark = CONTAINER.exec(line); mark !== null; mark = CONTAINER.exec(line))
    depth += 1 + Math.floor((mark[1] ?? '').length / 2);
  return depth;
}

/** What lines without a blank one between them cost. */
type CostOfLines = (lines: string[]) => number;

/** @param lines lines without a blank one between them */
function costOfLines(lines: string[]): number {
  let cost = lazyCost(lines);
  let from = 0;
  for (let to = 1; to <= lines.length; to++) {
    // What stands in brackets and emphasis begins anew with each item of a bulleted list.
    if (to < lines.length && !ITEM.test(lines[to] ?? '')) continue;
    const text = lines.slice(from, to).join('\n');
    cost += spanCost(text) + longRunCost(text) + unclosedCost(text) + addressCost(text);
    from = to;
  }
  return cost;
}

/** Lines that go on with the paragraph of a quote or an item without its marker: each is tried against all before. */
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

/** Brackets and emphasis: what closes looks back for what opens, over everything in between. */
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
      if (!/\s/.test(before)) cost += 3 * lookBack(kind);
      if (!/\s/.test(after)) opened[kind]?.push(marks);
    }
  }
  return cost;
}

/** A run of marks closes another two by two, and is copied each time. */
function longRunCost(text: string): number {
  return [...text.matchAll(/[*_]{100,}/g)].reduce((sum, { 0: run }) => sum + run.length ** 2, 0);
}

/** Each opening and what may end it. */
const CLOSED_BY: [RegExp, string][] = [
  [/<!--/g, '-->'],
  [/<\?/g, '?>'],
  [/<!\[CDATA\[/g, ']]>'],
  [/<![A-Za-z]/g, '>'],
];

/** Code, math and markup without an end are looked for up to the end of the text. */
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

/** Each address moves all that comes behind it in the paragraph; one gives back the punctuation at its end, one by one. */
function addressCost(text: string): number {
  const addresses = isLongLine(text) ? 0 : (text.match(/<[A-Za-z]|www\.|@|:\/\//gi)?.length ?? 0);
  const moved = 0.4 * addresses ** 2;
  if (!/:\/\/|www\./i.test(text)) return moved;
  const runs = [...text.matchAll(/[!"&'),.:;<>?\]}]{100,}/g)];
  return runs.reduce((sum, { 0: run }) => sum + run.length ** 2, moved);
}
