import { withLineFeeds } from '#contracts/text.js';
import type { Nodes, PhrasingContent } from 'mdast';
import { parseMarkdown } from '#markdown/parse.js';
import { BREAK, OBJECT } from './marked-text.js';

/** Inline element of a leaf: which characters of the leaf's text it contains, and its place in the manuscript. */
interface InlineNode {
  mark: string;
  first: number;
  /** Position after its last character. */
  last: number;
  start: number;
  end: number;
  /** Markdown before and after its content. */
  open: string;
  close: string;
}

/** Block of a manuscript that contains text: a paragraph, a heading, a cell or a line of code. */
export interface Leaf {
  kind: 'paragraph' | 'heading' | 'cell' | 'code';
  /** First line, from 1, and the position among the cells of its row. */
  line: number;
  cell: number | null;
  /** Place in the manuscript of the block and of its content, in UTF-16 units. */
  blockStart: number;
  start: number;
  end: number;
  /** Text as Word shows it. */
  text: string;
  /** Place in the manuscript of each character of `text`. */
  from: number[];
  to: number[];
  nodes: InlineNode[];
  /** Text of the first line before the block: marks of quotations and list items. */
  lead: string;
  /** Place of the top-level block that contains it, such as a list. */
  outerStart: number;
  outerEnd: number;
}

/** Splits a manuscript into its leaves, in order. Linear, except for parsing. */
export function leavesOf(manuscript: string): Leaf[] {
  const { source, chapters } = parseMarkdown(manuscript);
  // The parser drops a byte order mark.
  const shift = manuscript.length - source.length;
  const leaves: Leaf[] = [];
  for (const chapter of chapters)
    for (const node of chapter.children) {
      const from = leaves.length;
      collect(node, source, leaves);
      for (const leaf of leaves.slice(from)) {
        leaf.outerStart = node.position?.start.offset ?? leaf.blockStart;
        leaf.outerEnd = node.position?.end.offset ?? leaf.end;
      }
    }
  leaves.sort((a, b) => a.blockStart - b.blockStart || a.start - b.start);
  return shift === 0 ? leaves : leaves.map((leaf) => shifted(leaf, shift));
}

function collect(node: Nodes, source: string, leaves: Leaf[]): void {
  if (node.type === 'paragraph' || node.type === 'heading') leaves.push(textLeaf(node, node.type, source));
  else if (node.type === 'tableRow')
    node.children.forEach((cell, index) => leaves.push({ ...textLeaf(cell, 'cell', source), cell: index }));
  else if (node.type === 'code') leaves.push(...codeLeaves(node, source));
  else if ('children' in node) for (const child of node.children) collect(child, source, leaves);
}

function textLeaf(node: Nodes & { children: PhrasingContent[] }, kind: Leaf['kind'], source: string): Leaf {
  const blockStart = node.position?.start.offset ?? 0;
  const blockEnd = node.position?.end.offset ?? blockStart;
  const lineStart = source.lastIndexOf('\n', blockStart - 1) + 1;
  const leaf: Leaf = {
    ...{ kind, line: node.position?.start.line ?? 1, cell: null, blockStart },
    start: node.children[0]?.position?.start.offset ?? emptyAt(node, source),
    end: node.children.at(-1)?.position?.end.offset ?? emptyAt(node, source),
    ...{ text: '', from: [], to: [], nodes: [] },
    lead: kind === 'cell' ? '' : source.slice(lineStart, blockStart),
    ...{ outerStart: blockStart, outerEnd: blockEnd },
  };
  if (leaf.end > blockEnd) leaf.end = blockEnd;
  for (const child of node.children) addInline(child, leaf, source);
  return leaf;
}

/** Returns where text of an empty cell or heading belongs: before the border of the cell, else at its end. */
function emptyAt(node: Nodes, source: string): number {
  const [start, end] = [node.position?.start.offset ?? 0, node.position?.end.offset ?? 0];
  if (node.type !== 'tableCell') return end;
  const border = source.indexOf('|', start);
  return border < 0 || border >= end ? end : border + 1;
}

function add(leaf: Leaf, text: string, from: number, to: number): void {
  leaf.text += text;
  leaf.from.push(from);
  leaf.to.push(to);
}

const MARKS: Readonly<Record<string, string>> = {
  strong: 'bold',
  emphasis: 'italic',
  delete: 'strike',
  link: 'link',
  linkReference: 'link',
  inlineCode: 'code',
};

function addInline(node: PhrasingContent, leaf: Leaf, source: string): void {
  const start = node.position?.start.offset ?? 0;
  const end = node.position?.end.offset ?? start;
  const mark = MARKS[node.type];
  const first = leaf.text.length;
  if (node.type === 'text') addText(leaf, node.value, source, start, end);
  else if (node.type === 'inlineCode') addCode(leaf, node.value, source, start, end);
  else if (node.type === 'break') add(leaf, BREAK, start, end);
  else if (node.type === 'html') {
    if (/^<br\s*\/?>$/i.test(node.value)) add(leaf, BREAK, start, end);
  } else if ('children' in node) for (const child of node.children) addInline(child, leaf, source);
  else add(leaf, OBJECT, start, end);
  if (mark === undefined) return;
  const children = 'children' in node ? node.children : [];
  const inner = children[0]?.position?.start.offset ?? leaf.from[first] ?? start;
  const outer = children.at(-1)?.position?.end.offset ?? leaf.to.at(-1) ?? end;
  const marks = { open: source.slice(start, inner), close: source.slice(outer, end) };
  leaf.nodes.push({ mark, first, last: leaf.text.length, start, end, ...marks });
}

const ENTITY = /&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});/y;

/** Adds a text as it is shown, with the place of each character: escapes and entities are longer than what they show. */
function addText(leaf: Leaf, value: string, source: string, start: number, end: number): void {
  let at = start;
  for (let i = 0; i < value.length; i++) {
    const char = value[i]!;
    if (/[\uDC00-\uDFFF]/.test(char) && i > 0) {
      // The second half of a character: removing either half removes both.
      add(
        leaf,
        char,
        leaf.from.at(-1)!,
        (leaf.to[leaf.to.length - 1] = Math.max(leaf.to.at(-1)!, at + Number(source[at] === char))),
      );
      at = leaf.to.at(-1)!;
      continue;
    }
    if (char === '\n') {
      const from = at;
      at = Math.min(end, source.indexOf('\n', at) + 1 || end);
      // Marks of quotations and indentation before the next line belong to the line end.
      while (
        at < end &&
        value[i + 1] !== undefined &&
        source[at] !== value[i + 1] &&
        /[>\s]/.test(source[at]!)
      )
        at++;
      trimBlanks(leaf);
      add(leaf, ' ', leaf.to.at(-1) ?? from, at);
      continue;
    }
    while (at < end && source[at] !== char && !isEscape(source, at) && source[at] !== '&') at++;
    ENTITY.lastIndex = at;
    const entity = source[at] === '&' ? ENTITY.exec(source)?.[0] : undefined;
    const isWhole =
      entity !== undefined && at + entity.length <= end && value.slice(i, i + entity.length) !== entity;
    const length = isWhole ? entity.length : isEscape(source, at) && source[at + 1] === char ? 2 : 1;
    add(leaf, char, at, Math.min(end, at + length));
    at = Math.min(end, at + length);
  }
}

/** Removes blanks before a line end, which are not shown. */
function trimBlanks(leaf: Leaf): void {
  while (/[ \t]$/.test(leaf.text)) {
    leaf.text = leaf.text.slice(0, -1);
    leaf.from.pop();
    leaf.to.pop();
  }
}

const isEscape = (source: string, at: number): boolean =>
  source[at] === '\\' && /[!-/:-@[-`{-~]/.test(source[at + 1] ?? '');

function addCode(leaf: Leaf, value: string, source: string, start: number, end: number): void {
  const inner = source.slice(start, end);
  const offset = Math.max(0, inner.indexOf(value.replaceAll('\n', ' ')));
  for (let i = 0; i < value.length; i++)
    add(leaf, value[i] === '\n' ? ' ' : value[i]!, start + offset + i, start + offset + i + 1);
}

function codeLeaves(node: Nodes & { type: 'code' }, source: string): Leaf[] {
  const blockStart = node.position?.start.offset ?? 0;
  const lines = withLineFeeds(node.value).split('\n');
  const isFenced = /^[`~]{3}/.test(source.slice(blockStart));
  let at = isFenced ? source.indexOf('\n', blockStart) + 1 : blockStart;
  const line = node.position?.start.line ?? 1;
  return lines.flatMap((text, index) => {
    const end = source.indexOf('\n', at) < 0 ? source.length : source.indexOf('\n', at);
    const stop = source[end - 1] === '\r' ? end - 1 : end;
    const start = stop - text.length;
    const isSame = start >= at && source.slice(start, stop) === text;
    const places = Array.from({ length: text.length }, (_, i) => start + i);
    const leaf: Leaf = {
      ...{ kind: 'code' as const, line: line + index, cell: null, blockStart: at, start, end: stop, text },
      ...{ from: places, to: places.map((place) => place + 1), nodes: [], lead: source.slice(at, start) },
      ...{ outerStart: at, outerEnd: stop },
    };
    at = end + 1;
    return isSame ? [leaf] : [];
  });
}

function shifted(leaf: Leaf, by: number): Leaf {
  const move = (place: number) => place + by;
  return {
    ...leaf,
    ...{ blockStart: move(leaf.blockStart), start: move(leaf.start), end: move(leaf.end) },
    ...{ from: leaf.from.map(move), to: leaf.to.map(move) },
    ...{ outerStart: move(leaf.outerStart), outerEnd: move(leaf.outerEnd) },
    nodes: leaf.nodes.map((node) => ({ ...node, start: move(node.start), end: move(node.end) })),
  };
}
