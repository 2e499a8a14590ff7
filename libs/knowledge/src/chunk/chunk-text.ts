import type { ChunkKind, TextChunk } from '#contracts/knowledge.js';
import { tokensOf } from '#llm/tokens.js';
import { blocksOf, type Block } from './blocks.js';
import { cutLong } from './cut-long.js';
import { fits, sumTokens } from './measure.js';

export interface ChunkOptions {
  /** Tokens below which a chunk takes more, if what follows fits (300). */
  minTokens?: number;
  /** Tokens that no chunk has more of (500). */
  maxTokens?: number;
}

interface Measured extends Block {
  tokens: number;
}

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
  for (const group of groups(text, measured(text, maxTokens), minTokens, maxTokens))
    chunks.push(headings.chunkOf(text, group));
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

/** Headings at the end of a group, which belong to what follows; none when they are all that it has, or do not fit there. */
function trailingHeadings(text: string, group: Measured[], next: Measured, maxTokens: number): Measured[] {
  const lastText = group.findLastIndex(({ kind }) => kind !== 'heading');
  const trailing = group.slice(lastText + 1);
  return lastText >= 0 && fitTogether(text, [...trailing, next], maxTokens) ? trailing : [];
}

/** Follows the headings of a text from chunk to chunk. */
class HeadingPath {
  private open: { level: number; title: string }[] = [];

  /** The chunk of a group; its path is that of its first block that is no heading. */
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
