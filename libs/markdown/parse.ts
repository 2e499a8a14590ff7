import { blanked, singleSpaced, withoutLineEnd } from '#contracts/text.js';
import type { Root, RootContent, Nodes, Code, Heading, Html } from 'mdast';
import { fromMarkdown, type Options } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { mathFromMarkdown } from 'mdast-util-math';
import { gfm } from 'micromark-extension-gfm';
import { math } from 'micromark-extension-math';
import { combineExtensions } from 'micromark-util-combine-extensions';
import { isHardToParse, isLongTable, parseLongTable, shift } from './parse-cost.js';
import { frontMatterLines } from './front-matter.js';
import { isLongLine, parseLongLine } from './long-line.js';
import { singleDollarMath } from './single-dollar-math.js';
import { singleTildeSubscript } from './single-tilde.js';
import { splitBlocks, type Piece } from './split.js';
import { parseYaml } from './yaml.js';
import { closesFence, isHtmlBlock } from './lines.js';
import { quickBlock } from './quick-blocks.js';
import { quickInlines } from './quick-inlines.js';

interface ParsedMarkdown {
  /**
   * Text that positions refer to: the input without a byte order mark, with lone carriage returns and NUL
   * characters replaced.
   */
  source: string;
  /** Document properties from a YAML block at the start; otherwise empty. */
  frontMatter: Record<string, unknown>;
  /** One root per level-1 heading, plus one for content before it. Positions refer to the whole document. */
  chapters: Root[];
}

/**
 * Parser settings: GitHub-flavoured Markdown, math between double dollars, or between single ones in the form of TeX, and
 * lowered letters between single tildes. The extensions are combined once, since the parser would otherwise combine them in
 * each of many calls.
 */
export const PARSE_OPTIONS: Options = {
  extensions: [combineExtensions([gfm(), math({ singleDollarTextMath: false }), singleDollarMath()])],
  mdastExtensions: [gfmFromMarkdown(), mathFromMarkdown(), singleTildeSubscript],
};

/** Maximum number of alias expansions in front matter. */
const MAX_ALIASES = 50;

/** Maximum number of characters per parser call: parsing time grows faster than the input. */
const PARSE_LIMIT = 8_000;

/**
 * Parses a Markdown document into mdast in linear time (D24).
 *
 * Line endings follow CommonMark, including a lone carriage return; a byte order mark at the start is
 * dropped.
 *
 * @param markdown the whole document
 * @returns front matter and the chapters' trees with `position` (line and column from 1, offset from 0)
 */
export function parseMarkdown(markdown: string): ParsedMarkdown {
  const source = normalise(markdown);
  const { frontMatter, length } = readFrontMatter(source);
  const body = length > 0 ? blanked(source.slice(0, length)) + source.slice(length) : source;
  return { source, frontMatter, chapters: chaptersOf(parseBlocks(body)) };
}

/** Replaces lone carriage returns and NUL characters without changing offsets; drops a byte order mark. */
function normalise(markdown: string): string {
  let text = markdown.charCodeAt(0) === 0xfeff ? markdown.slice(1) : markdown;
  if (text.includes('\r')) text = text.replace(/\r(?!\n)/g, '\n');
  if (text.includes('\u0000')) text = text.replaceAll('\u0000', '\uFFFD');
  return text;
}

function readFrontMatter(source: string): { frontMatter: Record<string, unknown>; length: number } {
  const none = { frontMatter: {}, length: 0 };
  const lines = source.startsWith('---') ? source.split('\n', 1_001) : [];
  const count = frontMatterLines(lines);
  if (count === 0) return none;
  try {
    const [value] = parseYaml(lines.slice(1, count - 1).join('\n'), MAX_ALIASES);
    const length = lines.slice(0, count).reduce((sum, line) => sum + line.length + 1, 0);
    if (value && typeof value === 'object' && !Array.isArray(value))
      return { frontMatter: value as Record<string, unknown>, length: Math.min(length, source.length) };
  } catch {
    // Not YAML: the document starts with a thematic break.
  }
  return none;
}

function parseBlocks(source: string): RootContent[] {
  const groups = groupPieces(source, splitBlocks(source));
  const index = new DefinitionIndex();
  const early = groups.map((group) => {
    const defines = group.node === null && DefinitionIndex.mayDefine(source.slice(group.start, group.end));
    return defines ? parseGroup(source, group, '') : null;
  });
  groups.forEach(({ node }, i) => {
    for (const found of early[i] ?? (node?.type === 'footnoteDefinition' ? [node] : [])) index.collect(found);
  });
  const nodes: RootContent[] = [];
  groups.forEach((group, i) => {
    const text = source.slice(group.start, group.end);
    if (group.node && (isVerbatim(group.node) || index.definesAllOf(text))) return nodes.push(group.node);
    const prefix = index.prefixFor(text);
    const parsed = prefix === '' ? early[i] : null;
    for (const node of parsed ?? parseGroup(source, group, prefix)) nodes.push(node);
  });
  return nodes;
}

/** Returns whether a block cannot contain references, even if its text looks like one. */
const isVerbatim = ({ type }: RootContent): boolean => type === 'code' || type === 'html';

interface Group {
  start: number;
  end: number;
  line: number;
  node: RootContent | null;
}

function groupPieces(source: string, pieces: Piece[]): Group[] {
  const groups: Group[] = [];
  let open: Group | null = null;
  for (const piece of pieces) {
    const node = quickNode(source, piece);
    const isAlone = node !== null || isRepeated(source.slice(piece.start, piece.end));
    if (!isAlone && open && piece.end - open.start <= PARSE_LIMIT) open.end = piece.stop;
    else {
      const group: Group = { start: piece.start, end: piece.stop, line: piece.line, node };
      groups.push(group);
      open = isAlone ? null : group;
    }
  }
  return groups;
}

/** Returns whether a block is parsed in parts. */
const isRepeated = (block: string): boolean => isLongTable(block.split('\n')) || isLongLine(block.trimEnd());

function parseGroup(source: string, group: Group, prefix: string): RootContent[] {
  const text = source.slice(group.start, group.end);
  const parse = (markdown: string): RootContent[] => {
    if (isHardToParse(markdown)) return unread(markdown);
    const { children } = fromMarkdown(prefix + markdown, PARSE_OPTIONS);
    const own = children.filter((child) => (child.position?.start.offset ?? 0) >= prefix.length);
    const prefixLines = prefix.split('\n').length - 1;
    for (const child of own) shift(child, -prefixLines, -prefix.length);
    return own;
  };
  const whole = parseLongTable(text, parse) ?? parseLongLine(text, parse);
  const nodes = whole ? [whole] : parse(text);
  for (const node of nodes) shift(node, group.line - 1, group.start);
  return nodes;
}

function chaptersOf(nodes: RootContent[]): Root[] {
  const chapters: Root[] = [];
  for (const node of nodes) {
    const last = chapters.at(-1);
    if (!last || (node.type === 'heading' && node.depth === 1))
      chapters.push({ type: 'root', children: [node] });
    else last.children.push(node);
  }
  for (const chapter of chapters) {
    const start = chapter.children[0]?.position?.start;
    const end = chapter.children.at(-1)?.position?.end;
    if (start && end) chapter.position = { start, end };
  }
  return chapters;
}

const UNREAD =
  'The following text nests or repeats marks too often to be read as Markdown; it is shown as written.';

/** Returns Markdown that takes too long to parse as code, below a note that says so. */
function unread(markdown: string): RootContent[] {
  const lines = markdown.split('\n');
  const position = {
    start: { line: 1, column: 1, offset: 0 },
    end: { line: lines.length, column: (lines.at(-1) ?? '').length + 1, offset: markdown.length },
  };
  // A position shared between nodes would be shifted twice.
  const at = () => structuredClone(position);
  const note = { type: 'text' as const, value: UNREAD, position: at() };
  return [
    { type: 'paragraph', position: at(), children: [{ type: 'emphasis', position: at(), children: [note] }] },
    { type: 'code', value: withoutLineEnd(markdown), position: at() },
  ];
}

/** Unused label that ends the block of definitions put before a piece. */
const END = '[\u2063end of known definitions\u2063]: #\n\n';
const MAY_DEFINE = /^[ \t>\d.)*+-]*\[[^\]]+\]:/m;
/** Matches `[text][label]` and `[^note]`. */
const REFERENCE = /\]\[([^[\]]*)\]|\[(\^[^[\]]*)\]/g;
const LABEL = /\[((?:\\.|[^[\]\\])+)\]/gs;

/**
 * Index of the link and footnote definitions of a whole document. CommonMark resolves `[label]` against
 * definitions anywhere in the document, so a piece parsed alone needs all definitions that it may reference.
 */
class DefinitionIndex {
  private readonly known = new Map<string, string>();

  /** Returns whether the text may contain a definition. */
  static mayDefine(text: string): boolean {
    return MAY_DEFINE.test(text);
  }

  /** Stores the definitions in a parsed piece. */
  collect(node: Nodes): void {
    if (node.type === 'definition') this.add(node.label ?? node.identifier);
    else if (node.type === 'footnoteDefinition') this.add(`^${node.label ?? node.identifier}`);
    if ('children' in node) for (const child of node.children) this.collect(child);
  }

  /** Returns whether all references in a text, such as `[text][label]` and `[^note]`, are defined. */
  definesAllOf(text: string): boolean {
    if (!text.includes('][') && !text.includes('[^')) return true;
    return [...text.matchAll(REFERENCE)].every(([, label, note]) =>
      this.known.has(normaliseLabel(label ?? note ?? '')),
    );
  }

  /** Returns definitions, as Markdown, of the known labels that `text` uses; may be empty. */
  prefixFor(text: string): string {
    if (this.known.size === 0 || !text.includes('[')) return '';
    const found = new Set<string>();
    for (const match of text.matchAll(LABEL)) {
      const key = normaliseLabel(match[1] ?? '');
      if (this.known.has(key)) found.add(key);
    }
    if (found.size === 0) return '';
    const lines = [...found].sort((a, b) => Number(b.startsWith('^')) - Number(a.startsWith('^')));
    return `${lines.map((key) => `[${this.known.get(key) ?? ''}]: #\n\n`).join('')}${END}`;
  }

  private add(label: string): void {
    const key = normaliseLabel(label);
    if (!this.known.has(key)) this.known.set(key, singleSpaced(label));
  }
}

/** Normalizes a label as CommonMark does: collapses white space, folds case. */
function normaliseLabel(label: string): string {
  return label
    .replace(/[\t\n\r ]+/g, ' ')
    .trim()
    .toLowerCase()
    .toUpperCase();
}

/**
 * Builds nodes for blocks that need no Markdown parser: fenced code, HTML blocks, and plain headings,
 * paragraphs, lists, quotes, tables and notes. They make up most of a long document, and equal the parser's
 * own nodes (property tests compare them).
 */

/** Returns the node of a piece, or null if the parser is needed. */
export function quickNode(source: string, piece: Piece): RootContent | null {
  if (piece.fence) return codeNode(source, piece);
  const text = source.slice(piece.start, piece.end);
  if (text.startsWith('<')) return htmlNode(text, piece);
  return text.startsWith('#') ? headingNode(text, piece) : blockNode(text, piece);
}

/** Parses an HTML block that starts with a block-level tag; it extends to the next blank line. */
function htmlNode(text: string, piece: Piece): Html | null {
  const [first = '', ...rest] = text.split('\n');
  if (!isHtmlBlock(first) || /[\r\0]/.test(text) || rest.some((line) => line.trim() === '')) return null;
  return { type: 'html', value: text, position: span(piece, text, 1 + rest.length, 0) };
}

function codeNode(source: string, piece: Piece): Code | null {
  const { fence } = piece;
  const text = source.slice(piece.start, piece.end);
  if (!fence || /[\\&]/.test(fence.info) || (fence.indent > 0 && text.includes('\t'))) return null;
  const firstEnd = text.indexOf('\n');
  if (firstEnd < 0) return null;
  const lastStart = text.lastIndexOf('\n') + 1;
  const closed = closesFence(text.slice(lastStart), fence.marker);
  // Without a closing fence the code extends to the end of the document.
  const body = text.slice(firstEnd + 1, closed ? lastStart : text.length);
  const value = withoutLineEnd(unindent(body, fence.indent));
  return code(piece, value, countLines(text), text);
}

function unindent(code: string, columns: number): string {
  if (columns === 0) return code;
  const indent = new RegExp(`^ {1,${columns}}`);
  return code
    .split('\n')
    .map((line) => line.replace(indent, ''))
    .join('\n');
}

function code(piece: Piece, value: string, lines: number, text: string): Code | null {
  const info = /^([^\s]*)(?:[ \t]+(.*))?$/.exec(piece.fence?.info ?? '');
  if (!info) return null;
  const from = piece.fence?.indent ?? 0;
  return {
    type: 'code',
    lang: info[1] || null,
    meta: info[2] || null,
    value,
    position: span(piece, text, lines, from),
  };
}

function headingNode(text: string, piece: Piece): Heading | null {
  const match = /^(#{1,6}) (?! )([^\n\r]+)$/.exec(text);
  const [, marks = '', words = ''] = match ?? [];
  if (!match || words.includes('#')) return null;
  const from = marks.length + 1;
  const children = quickInlines([
    { text: words, offset: piece.start + from, line: piece.line, column: 1 + from },
  ]);
  return (
    children && {
      type: 'heading',
      depth: marks.length as Heading['depth'],
      children,
      position: span(piece, text, 1, 0),
    }
  );
}

function blockNode(text: string, piece: Piece): RootContent | null {
  let offset = piece.start;
  const lines = text.split('\n').map((line, i) => {
    const placed = { text: line, offset, line: piece.line + i, column: 1 };
    offset += line.length + 1;
    return placed;
  });
  return quickBlock(lines);
}

/** Returns the position from character `from` to the end of a piece that spans `lines` lines. */
function span(piece: Piece, text: string, lines: number, from: number) {
  const lastLine = text.length - (text.lastIndexOf('\n') + 1);
  return {
    start: { line: piece.line, column: 1 + from, offset: piece.start + from },
    end: { line: piece.line + lines - 1, column: lastLine + 1, offset: piece.end },
  };
}

function countLines(text: string): number {
  let lines = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}
