import type { Root, RootContent } from 'mdast';
import { fromMarkdown, type Options } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { mathFromMarkdown } from 'mdast-util-math';
import { gfm } from 'micromark-extension-gfm';
import { math } from 'micromark-extension-math';
import { combineExtensions } from 'micromark-util-combine-extensions';
import { DefinitionIndex } from './definitions.js';
import { isHardToParse } from './parse-cost.js';
import { frontMatterLines } from './front-matter.js';
import { isLongLine, parseLongLine } from './long-line.js';
import { isLongTable, parseLongTable } from './long-table.js';
import { shift } from './positions.js';
import { quickNode } from './quick.js';
import { splitBlocks, type Piece } from './split.js';
import { parseYaml } from './yaml.js';

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
 * Parser settings: GitHub-flavoured Markdown, and math only between double dollars (prose contains single
 * ones). The extensions are combined once, since the parser would otherwise combine them in each of many
 * calls.
 */
export const PARSE_OPTIONS: Options = {
  extensions: [combineExtensions([gfm(), math({ singleDollarTextMath: false })])],
  mdastExtensions: [gfmFromMarkdown(), mathFromMarkdown()],
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
  const body = length > 0 ? source.slice(0, length).replace(/[^\n]/g, ' ') + source.slice(length) : source;
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
    { type: 'code', value: markdown.replace(/\r?\n$/, ''), position: at() },
  ];
}
