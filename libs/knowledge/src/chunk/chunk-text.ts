import type { ChunkKind, TextChunk } from '#contracts/knowledge.js';
import { tokensOf } from '#llm/tokens.js';
import { blocksOf, type Block } from './blocks.js';
import { cutLong } from './cut-long.js';

export interface ChunkOptions {
  /** Tokens below which a chunk takes more, if what follows fits (300). */
  minTokens?: number;
  /** Tokens that no chunk has more of (500). */
  maxTokens?: number;
}

interface Measured extends Block {
  tokens: number;
}

/** A line feed between two blocks. */
const SEPARATOR_TOKENS = 1;

/**
 * Cuts a text into passages of 300 to 500 tokens, at headings, paragraphs, list items, whole fences and table rows; what is longer than
 * a chunk is cut at its lines, then at sentences and words. No chunk begins or ends with a blank line, and none ends with a heading
 * if something follows it. What stands between two chunks is white space.
 *
 * @returns chunks in the order of the text; none for a text without words
 */
export function chunkText(text: string, options: ChunkOptions = {}): TextChunk[] {
  const { minTokens = 300, maxTokens = 500 } = options;
  const chunks: TextChunk[] = [];
  const headings = new HeadingPath();
  for (const group of groups(measured(text, maxTokens), minTokens, maxTokens))
    chunks.push(headings.chunkOf(group));
  return chunks;
}

function* measured(text: string, maxTokens: number): Generator<Measured> {
  for (const block of blocksOf(text)) {
    if (text.slice(block.start, block.end).trim() === '') continue;
    const tokens = tokensOf(text.slice(block.start, block.end));
    if (tokens <= maxTokens) yield { ...block, tokens };
    // Its first piece alone is the heading: the rest of an endless one is text.
    else
      for (const [at, piece] of cutLong(text, block, maxTokens).entries())
        yield { ...block, ...piece, kind: at > 0 && block.kind === 'heading' ? 'prose' : block.kind };
  }
}

/** Joins blocks to groups that make a chunk each. */
function* groups(blocks: Iterable<Measured>, minTokens: number, maxTokens: number): Generator<Measured[]> {
  let group: Measured[] = [];
  let tokens = 0;
  for (const block of blocks) {
    const isFull = tokens + SEPARATOR_TOKENS + block.tokens > maxTokens;
    const isDue = block.kind === 'heading' && tokens >= minTokens;
    if (group.length > 0 && (isFull || isDue)) {
      const carried = isFull ? trailingHeadings(group, block, maxTokens) : [];
      yield group.slice(0, group.length - carried.length);
      group = carried;
      tokens = sum(group);
    }
    group.push(block);
    tokens = sum(group);
  }
  if (group.length > 0) yield group;
}

/** Headings at the end of a group, which belong to what follows; none when they are all that it has, or do not fit there. */
function trailingHeadings(group: Measured[], next: Measured, maxTokens: number): Measured[] {
  const lastText = group.findLastIndex(({ kind }) => kind !== 'heading');
  const trailing = group.slice(lastText + 1);
  const fits = sum(trailing) + SEPARATOR_TOKENS + next.tokens <= maxTokens;
  return lastText >= 0 && fits ? trailing : [];
}

function sum(blocks: Measured[]): number {
  return blocks.reduce((total, { tokens }) => total + SEPARATOR_TOKENS + tokens, -SEPARATOR_TOKENS);
}

/** Follows the headings of a text from chunk to chunk. */
class HeadingPath {
  private open: { level: number; title: string }[] = [];

  /** The chunk of a group; its path is that of its first block that is no heading. */
  chunkOf(group: Measured[]): TextChunk {
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
      tokens: sum(group),
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
