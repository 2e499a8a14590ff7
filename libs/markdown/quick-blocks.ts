import type {
  Blockquote,
  BlockContent,
  FootnoteDefinition,
  List,
  ListItem,
  Paragraph,
  Table,
  TableRow,
} from 'mdast';
import { quickInlines, type PlacedLine } from './quick-inlines.js';

type Position = NonNullable<Paragraph['position']>;

/** Start of a line that cannot belong to a plain paragraph: markers of other blocks. */
const BLOCK_START = /^(?:[\s>#|:=+~<$-]|\d{1,9}[.)]|\*(?!\S)|\*{3}|\*\*(?!\S)|_|`{3}|\*+[ *]*$|$)/;
const ITEM = /^(?:([-*])|(\d{1,9})\.) (?=\S)/;
const DELIMITER = /^ *(:?)-+(:?) *$/;
/** Pipes at both ends, no escaped pipe inside. */
const PIPED = /^\|(?:[^\\\t]|\\[^|\t])*\|$/;
const NOTE = /^\[\^([A-Za-z0-9_-]{1,99})\]: (?=\S)/;
/** Deeper lists are passed to the parser. */
const MAX_DEPTH = 6;

/** Returns the position from the start of the first line to the end of the last. */
function spanOf(lines: readonly PlacedLine[]): Position {
  const [first] = lines;
  const last = lines.at(-1);
  if (!first || !last) throw new RangeError('no lines');
  return {
    start: { line: first.line, column: first.column, offset: first.offset },
    end: { line: last.line, column: last.column + last.text.length, offset: last.offset + last.text.length },
  };
}

/** Drops the first `count` characters of a line. */
function inner(line: PlacedLine, count: number): PlacedLine {
  return {
    text: line.text.slice(count),
    offset: line.offset + count,
    line: line.line,
    column: line.column + count,
  };
}

/**
 * Parses a plain paragraph, list, quote, table or note into a node equal to the parser's; null if anything is
 * ambiguous.
 */
export function quickBlock(lines: readonly PlacedLine[]): BlockContent | FootnoteDefinition | null {
  const first = lines[0]?.text ?? '';
  if (first.startsWith('[^')) return quickNote(lines);
  if (first.startsWith('|')) return quickTable(lines);
  if (first.startsWith('> ')) return quickQuote(lines);
  return ITEM.test(first) ? quickList(lines, 0) : quickParagraph(lines);
}

function quickParagraph(lines: readonly PlacedLine[]): Paragraph | null {
  if (lines.some(({ text }) => BLOCK_START.test(text))) return null;
  const children = quickInlines(lines);
  return children && { type: 'paragraph', children, position: spanOf(lines) };
}

/** Parses a note of one paragraph; null if a further line starts with `[`, which may define another note. */
function quickNote([first, ...rest]: readonly PlacedLine[]): FootnoteDefinition | null {
  const [mark, label] = NOTE.exec(first?.text ?? '') ?? [];
  if (!first || mark === undefined || label === undefined) return null;
  if (rest.some(({ text }) => text.startsWith('['))) return null;
  const paragraph = quickParagraph([inner(first, mark.length), ...rest]);
  const position = spanOf([first, ...rest]);
  const identifier = label.toLowerCase();
  return paragraph && { type: 'footnoteDefinition', identifier, label, children: [paragraph], position };
}

function quickQuote(lines: readonly PlacedLine[]): Blockquote | null {
  if (!lines.every(({ text }) => text.startsWith('> '))) return null;
  const paragraph = quickParagraph(lines.map((line) => inner(line, 2)));
  return paragraph && { type: 'blockquote', children: [paragraph], position: spanOf(lines) };
}

/**
 * Parses a list of one-paragraph items, each optionally with a nested list. Blank lines may only separate items
 * of the outermost list.
 */
function quickList(lines: readonly PlacedLine[], depth: number): List | null {
  const [, bullet, number] = ITEM.exec(lines[0]?.text ?? '') ?? [];
  if (depth > MAX_DEPTH || (depth > 0 && number !== undefined && number !== '1')) return null;
  const items: ListItem[] = [];
  let spread = false;
  for (let at = 0; at < lines.length;) {
    const match = ITEM.exec(lines[at]?.text ?? '');
    if (!match || match[1] !== bullet || (match[2] === undefined) !== (number === undefined)) return null;
    const width = match[0].length;
    const end = itemEnd(lines, at + 1, width, depth);
    const item = end === null ? null : quickItem(lines.slice(at, end), width, depth);
    if (!item) return null;
    items.push(item);
    at = end ?? lines.length;
    for (; lines[at]?.text === ''; at++) spread = true;
    if (spread && at === lines.length && lines[at - 1]?.text === '') return null;
  }
  const ordered = number !== undefined;
  return {
    type: 'list',
    ordered,
    start: ordered ? Number(number) : null,
    spread,
    children: items,
    position: spanOf(lines),
  };
}

/**
 * Returns the index of the line after an item: the next marker or a blank line before it. Returns null if a
 * line is neither that nor indented to the item's text.
 */
function itemEnd(lines: readonly PlacedLine[], from: number, width: number, depth: number): number | null {
  const indent = ' '.repeat(width);
  let at = from;
  while (at < lines.length && lines[at]?.text.startsWith(indent)) at++;
  const next = lines[at]?.text;
  return next === undefined || (next === '' && depth === 0) || ITEM.test(next) ? at : null;
}

function quickItem(lines: readonly PlacedLine[], width: number, depth: number): ListItem | null {
  const own = lines.map((line) => inner(line, width));
  const checked = takeTask(own);
  const nested = own.findIndex(({ text }, i) => i > 0 && ITEM.test(text));
  const paragraph = quickParagraph(nested < 0 ? own : own.slice(0, nested));
  if (!paragraph || (checked !== null && paragraph.children[0]?.type !== 'text')) return null;
  const list = nested < 0 ? null : quickList(own.slice(nested), depth + 1);
  if (nested >= 0 && !list) return null;
  return {
    type: 'listItem',
    spread: false,
    checked,
    children: list ? [paragraph, list] : [paragraph],
    position: spanOf(lines),
  };
}

/**
 * Strips a task checkbox from an item's first line. Returns whether it is ticked, or null without a checkbox.
 */
function takeTask(lines: PlacedLine[]): boolean | null {
  const [first] = lines;
  const mark = /^\[([ xX])\] (?=\S)/.exec(first?.text ?? '')?.[1];
  if (!first || mark === undefined) return null;
  lines[0] = inner(first, 4);
  return mark !== ' ';
}

/** Parses a table with pipes at both ends of every line and the same number of cells in each. */
function quickTable(lines: readonly PlacedLine[]): Table | null {
  const [head, marks, ...body] = lines;
  if (!head || !marks || !lines.every(({ text }) => PIPED.test(text))) return null;
  const align = marks.text.slice(1, -1).split('|').map(alignOf);
  const rows = [head, ...body].map((line) => quickRow(line, align.length));
  if (align.includes(undefined) || rows.includes(null)) return null;
  return {
    type: 'table',
    align: align.map((side) => side ?? null),
    children: rows.filter((row) => row !== null),
    position: spanOf(lines),
  };
}

/** Returns a column's alignment; undefined if the cell is not a delimiter. */
function alignOf(cell: string): 'left' | 'right' | 'center' | null | undefined {
  const match = DELIMITER.exec(cell);
  if (!match) return undefined;
  if (match[1]) return match[2] ? 'center' : 'left';
  return match[2] ? 'right' : null;
}

function quickRow(line: PlacedLine, columns: number): TableRow | null {
  const cells = line.text.slice(1, -1).split('|');
  if (cells.length !== columns) return null;
  const children: TableRow['children'] = [];
  let at = 0;
  for (const [i, cell] of cells.entries()) {
    const text = cell.trim();
    const content = inner(line, at + 1 + (cell.length - cell.trimStart().length));
    const nodes = text === '' ? [] : quickInlines([{ ...content, text }]);
    if (!nodes) return null;
    const width = cell.length + (i === cells.length - 1 ? 2 : 1);
    const place = { ...inner(line, at), text: line.text.slice(at, at + width) };
    children.push({ type: 'tableCell', children: nodes, position: spanOf([place]) });
    at += cell.length + 1;
  }
  return { type: 'tableRow', children, position: spanOf([line]) };
}
