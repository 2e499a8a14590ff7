import type { BuildContext } from './context.js';
import type { Block, Inline, ParagraphBlock, TableBlock } from '#contracts/structure.js';

const MARKER = /^Table:\s*/;

/**
 * Turns a paragraph "Table: words" right after or before a table into its caption. The table then gets a
 * number and the ID `table-N`, to which links in the document can point.
 */
export function captionTables(blocks: Block[], context: BuildContext): Block[] {
  if (!blocks.some((block) => block.type === 'table')) return blocks;
  const usedBlocks = new Set<Block>();
  for (const [i, block] of blocks.entries()) {
    if (block.type !== 'table') continue;
    const caption = [blocks[i + 1], blocks[i - 1]].find(
      (next) => next && !usedBlocks.has(next) && isCaption(next),
    );
    if (!caption) continue;
    usedBlocks.add(caption);
    numberTable(block, caption as ParagraphBlock, context);
  }
  return usedBlocks.size > 0 ? blocks.filter((block) => !usedBlocks.has(block)) : blocks;
}

function isCaption(block: Block): boolean {
  const first = block.type === 'paragraph' ? block.content[0] : undefined;
  return first?.type === 'text' && !first.marks && MARKER.test(first.value);
}

function numberTable(table: TableBlock, paragraph: ParagraphBlock, context: BuildContext): void {
  const [first, ...rest] = paragraph.content;
  const words: Inline[] =
    first?.type === 'text' ? [{ ...first, value: first.value.replace(MARKER, '') }] : [];
  table.caption = [...words, ...rest];
  table.number = ++context.tables;
  table.id = `table-${table.number}`;
  context.anchor(table.id);
}
