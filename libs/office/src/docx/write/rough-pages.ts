import type { Block, Structure } from '../../structure/schema.js';
import { plainText } from '../../structure/text.js';
import type { PageLayout } from './context.js';

/** Heights of the writer's own styles, in points, and characters that fit a line of the text's width on A4. */
const LINE = 14;
const AFTER = 7;
const CODE_LINE = 10.75;
const ROW_LINE = 12.5;
const LETTERS = 92;
const CODE_LETTERS = 86;
const HEADING = [0, 43, 37, 32, 29, 27, 27];
const FIGURE = 230;
const TOC_LINES = 44;

/**
 * A rough page for each heading, for documents that are too long to lay out: heights are added up from the number of
 * characters. Word replaces these numbers when it updates the table of contents.
 *
 * @returns page numbers by heading id
 */
export function roughPages(
  structure: Structure,
  page: PageLayout,
  cover: boolean,
  entries: number,
): Map<string, string> {
  const room = (page.height - 2 * page.margin) / 20;
  const first = 1 + (cover ? 1 : 0) + Math.max(1, Math.ceil(entries / TOC_LINES));
  const pages = new Map<string, string>();
  let height = 0;
  const walk = (blocks: readonly Block[], depth: number): void => {
    for (const block of blocks) {
      if (block.type === 'heading') pages.set(block.id, String(first + Math.floor((height + LINE) / room)));
      if (block.type === 'list') for (const item of block.items) walk(item.blocks, depth + 1);
      else if (block.type === 'quote' || block.type === 'callout') walk(block.blocks, depth + 1);
      else height += heightOf(block, depth);
    }
  };
  walk(structure.blocks, 0);
  return pages;
}

function heightOf(block: Block, depth: number): number {
  switch (block.type) {
    case 'heading':
      return HEADING[block.level] ?? LINE;
    case 'paragraph':
      return lines(plainText(block.content).length, LETTERS - 4 * depth) * LINE + (depth > 0 ? 3 : AFTER);
    case 'code':
      return (
        block.text.split('\n').reduce((sum, line) => sum + lines(line.length, CODE_LETTERS), 0) * CODE_LINE +
        16
      );
    case 'table': {
      const letters = Math.max(4, LETTERS / block.align.length);
      const rows = block.rows.map((row) =>
        Math.max(1, ...row.cells.map((cell) => lines(plainText(cell).length, letters))),
      );
      return rows.reduce((sum, count) => sum + count * ROW_LINE + 5, 8);
    }
    case 'figure':
      return FIGURE;
    default:
      return 2 * LINE;
  }
}

function lines(length: number, letters: number): number {
  return Math.max(1, Math.ceil(length / Math.max(10, letters)));
}
