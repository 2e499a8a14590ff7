import type { ChunkKind, TextChunk } from '../contract.js';
import { tokensOf } from '#llm/tokens.js';
import { blocksOf, type Block } from './blocks.js';
import { cutLong } from './cut-long.js';
import { fits, sumTokens } from './measure.js';

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
