import type { ChunkKind, TextChunk } from '../contract.js';
import { tokensOf } from '#llm/tokens.js';
import { scanMarkdown, splitLines, type ScannedLine } from '#markdown/scan/scan.js';

interface ChunkOptions {
  /** Tokens below which a chunk is extended if the next block fits (300). */
  minTokens?: number;
  /** Maximum number of tokens of a chunk (500). */
  maxTokens?: number;
}

interface Measured extends Block {
  tokens: number;
}

/**
 * Cuts a text into chunks of 300 to 500 tokens at headings, paragraphs, list items, code blocks and table
 * rows. Longer blocks are cut at lines, then at sentences and words. No chunk starts or ends with a blank
 * line, and none ends with a heading if text follows. Chunks are separated by white space only.
 *
 * @returns chunks in the order of the text; none for a text without words
 */
export function chunkText(text: string, options: ChunkOptions = {}): TextChunk[] {
  const { minTokens = 300, maxTokens = 500 } = options;
  const chunks: TextChunk[] = [];
  const headings = new HeadingPath();
  for (const group of groups(text, measured(text, maxTokens), minTokens, maxTokens))
    chunks.push(headings.chunkOf(text, group));
  return chunks;
}

function* measured(text: string, maxTokens: number): Generator<Measured> {
  for (const block of blocksOf(text)) {
    if (text.slice(block.start, block.end).trim() === '') continue;
    const tokens = tokensOf(text.slice(block.start, block.end));
    if (tokens <= maxTokens) yield { ...block, tokens };
    // Only the first piece of an overlong heading counts as a heading, the rest as prose.
    else
      for (const [at, piece] of cutLong(text, block, maxTokens).entries())
        yield { ...block, ...piece, kind: at > 0 && block.kind === 'heading' ? 'prose' : block.kind };
  }
}

/** Groups blocks; each group becomes a chunk. */
function* groups(
  text: string,
  blocks: Iterable<Measured>,
  minTokens: number,
  maxTokens: number,
): Generator<Measured[]> {
  let group: Measured[] = [];
  for (const block of blocks) {
    const isFull = !fitTogether(text, [...group, block], maxTokens);
    const isDue = block.kind === 'heading' && sumTokens(text, group) >= minTokens;
    if (group.length > 0 && (isFull || isDue)) {
      const carried = isFull ? trailingHeadings(text, group, block, maxTokens) : [];
      yield group.slice(0, group.length - carried.length);
      group = carried;
    }
    group.push(block);
  }
  if (group.length > 0) yield group;
}

function fitTogether(text: string, blocks: Measured[], maxTokens: number): boolean {
  const whole = { start: blocks[0]!.start, end: blocks.at(-1)!.end, tokens: sumTokens(text, blocks) };
  return fits(text, whole, maxTokens);
}

/**
 * Returns the headings at the end of a group, which belong to the next one. Returns none if the group has
 * only headings or if they do not fit there.
 */
function trailingHeadings(text: string, group: Measured[], next: Measured, maxTokens: number): Measured[] {
  const lastText = group.findLastIndex(({ kind }) => kind !== 'heading');
  const trailing = group.slice(lastText + 1);
  return lastText >= 0 && fitTogether(text, [...trailing, next], maxTokens) ? trailing : [];
}

/** Tracks the current headings from chunk to chunk. */
class HeadingPath {
  private open: { level: number; title: string }[] = [];

  /** Returns the chunk of a group, with the path of the group's first block that is not a heading. */
  chunkOf(text: string, group: Measured[]): TextChunk {
    let path: string[] | null = null;
    for (const block of group) {
      if (block.kind === 'heading') this.enter(block);
      else path ??= this.titles();
    }
    const kinds = new Set(
      group.filter(({ kind }) => kind !== 'heading').map(({ kind }) => kind as ChunkKind),
    );
    return {
      start: group[0]!.start,
      end: group.at(-1)!.end,
      headingPath: path ?? this.titles(),
      tokens: sumTokens(text, group),
      kind: kinds.size === 1 ? [...kinds][0]! : kinds.size === 0 ? 'prose' : 'mixed',
    };
  }

  private enter({ level, title }: Block): void {
    this.open = [...this.open.filter((heading) => heading.level < level), { level, title }];
  }

  private titles(): string[] {
    return this.open.map(({ title }) => title).filter((title) => title !== '');
  }
}

/**
 * A part of a text that stays whole if it fits: complete lines, from the first character to the end of the
 * last line.
 */
interface Block {
  start: number;
  end: number;
  kind: 'heading' | 'prose' | 'list' | 'code' | 'table';
  /** Level of a heading, 1 to 6. */
  level: number;
  title: string;
}

interface Line extends ScannedLine {
  start: number;
  end: number;
}

/**
 * Splits a markdown text into blocks: headings, paragraphs, list items, code blocks, table rows. Blank lines
 * belong to none.
 */
function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let previous: Line | undefined;
  for (const line of linesOf(text)) {
    const open = blocks.at(-1);
    if (line.kind === 'blank') previous = line;
    else {
      if (open && previous && continues(open, previous, line)) extend(open, line);
      else blocks.push(blockOf(line));
      previous = line;
    }
  }
  return blocks;
}

function* linesOf(text: string): Generator<Line> {
  const { lines } = scanMarkdown(splitLines(text), { frontMatter: true });
  let start = 0;
  for (const line of lines) {
    const feed = text.indexOf('\n', start);
    const stop = feed < 0 ? text.length : feed;
    const end = text[stop - 1] === '\r' && stop > start ? stop - 1 : stop;
    yield { ...line, start, end };
    start = stop + 1;
  }
}

const kindOf: Record<ScannedLine['kind'], Block['kind']> = {
  blank: 'prose',
  prose: 'prose',
  heading: 'heading',
  setext: 'heading',
  underline: 'heading',
  fence_open: 'code',
  fence_close: 'code',
  code: 'code',
  table: 'table',
  delimiter: 'table',
  front_matter: 'code',
};

function blockOf(line: Line): Block {
  const kind = line.kind === 'prose' && line.lists > 0 ? 'list' : kindOf[line.kind];
  const title = kind === 'heading' ? line.text.trim() : '';
  return { start: line.start, end: line.end, kind, level: line.level, title };
}

function extend(block: Block, line: Line): void {
  block.end = line.end;
  if (line.kind === 'setext') block.title += ` ${line.text.trim()}`;
}

/**
 * Returns whether a line continues the block before it; `previous` is the preceding line, which may be blank.
 */
function continues(open: Block, previous: Line, line: Line): boolean {
  if (line.marker !== '') return false;
  switch (line.kind) {
    case 'setext':
      return previous.kind === 'setext';
    case 'underline':
      return true;
    case 'fence_close':
      return true;
    case 'code':
    case 'front_matter':
      // A fenced block continues after blank lines; an indented one starts again.
      return open.kind === 'code' && previous.kind !== 'blank' && previous.kind !== 'fence_close';
    case 'delimiter':
      // Belongs to the line above it, which is then a table header instead of a paragraph.
      if (open.end === previous.end) open.kind = 'table';
      return true;
    case 'prose':
      return (open.kind === 'prose' || open.kind === 'list') && previous.kind === 'prose';
    default:
      return false;
  }
}

/** Positions for cuts, from best to worst: after lines, sentences, words, characters. */
const CUTS = [/\n+/g, /[.!?…。！？]{1,9}["'»”)\]]{0,9}\s+|[。！？]/g, /\s+/g, /.\p{M}{0,8}/gsu];
/** Characters counted together at the last level: counting each would be slow. */
const CHARACTERS = 3;

/**
 * Cuts a part of a text that has too many tokens at its lines. A line that is still too long is cut at its
 * sentences, then at words, then between characters.
 *
 * @returns pieces in order, each within the limit and without surrounding white space (a line keeps its
 * indentation)
 */
function cutLong(text: string, { start, end }: { start: number; end: number }, maxTokens: number): Piece[] {
  return cutAt(text, start, end, maxTokens, 0);
}

function cutAt(text: string, start: number, end: number, maxTokens: number, level: number): Piece[] {
  const pieces: Piece[] = [];
  let open: Piece | null = null;
  for (const part of partsOf(text, start, end, level)) {
    const tokens = tokensOf(text.slice(part.start, part.end));
    const joined: Piece | null = open && {
      start: open.start,
      end: part.end,
      tokens: sumTokens(text, [open, { ...part, tokens }]),
    };
    if (tokens > maxTokens && level + 1 < CUTS.length) {
      if (open) pieces.push(open);
      open = null;
      pieces.push(...cutAt(text, part.start, part.end, maxTokens, level + 1));
    } else if (joined && fits(text, joined, maxTokens)) {
      open = joined;
    } else {
      if (open) pieces.push(open);
      open = { ...part, tokens };
    }
  }
  if (open) pieces.push(open);
  return pieces;
}

/**
 * Returns the parts between the cuts of a level, without surrounding white space; empty ones are left out.
 */
function* partsOf(text: string, start: number, end: number, level: number) {
  const isCharacters = level === CUTS.length - 1;
  const inside = text.slice(start, end);
  let from = 0;
  const trimmed = (to: number) => {
    const part = inside.slice(from, to);
    const lead = part.length - part.trimStart().length;
    // Keep the indentation of lines of code.
    const at = level === 0 ? from : from + lead;
    return { start: start + at, end: start + from + part.trimEnd().length };
  };
  for (const match of inside.matchAll(CUTS[level]!)) {
    const to = match.index + match[0].length;
    if (isCharacters && to - from < CHARACTERS && to < inside.length) continue;
    const part = trimmed(to);
    if (part.end > part.start) yield part;
    from = to;
  }
  const rest = trimmed(inside.length);
  if (rest.end > rest.start) yield rest;
}

/** A part of a text with its number of tokens. */
interface Piece {
  start: number;
  end: number;
  tokens: number;
}

/** Counts the tokens between two pieces: one for one or two characters, the most frequent case. */
function tokensBetween(text: string, { end }: Piece, { start }: Piece): number {
  return start - end <= 2 ? 1 : tokensOf(text.slice(end, start));
}

/** Returns the tokens of consecutive pieces, including the text between them. */
function sumTokens(text: string, pieces: readonly Piece[]): number {
  let sum = 0;
  for (const [at, piece] of pieces.entries())
    sum += piece.tokens + (at === 0 ? 0 : tokensBetween(text, pieces[at - 1]!, piece));
  return sum;
}

/**
 * Returns whether a part of a text is within a limit. The sum over its pieces may be slightly off, so tokens
 * are counted exactly only if it is close to the limit.
 */
function fits(text: string, { start, end, tokens }: Piece, maxTokens: number): boolean {
  const error = 4 + (end - start) / 250;
  if (tokens > maxTokens || tokens + error <= maxTokens) return tokens <= maxTokens;
  return tokensOf(text.slice(start, end)) <= maxTokens;
}
