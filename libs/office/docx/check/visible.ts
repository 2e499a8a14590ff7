import { APPENDIX_ID } from '../write/front.js';
import type { DocxBlock, DocxContent } from '../read/read.js';

/** Styles of the cover, table of contents and other paragraphs that are not in the source. */
const ADDED_STYLES = new Set(['Title', 'Subtitle', 'Author', 'Date', 'TOC Heading', 'Table Part']);

/** Returns the document's own blocks, without cover, table of contents and appendix. */
export function ownBlocks({ blocks }: DocxContent): DocxBlock[] {
  const end = blocks.findIndex((block) => block.type === 'heading' && block.bookmarks.includes(APPENDIX_ID));
  const body = end < 0 ? blocks : blocks.slice(0, end);
  return body.filter((block) => block.type !== 'paragraph' || !ADDED_STYLES.has(block.style));
}

/** Returns the visible lines of a document: paragraphs with list markers, code lines, table cells, notes. */
export function visibleLines(content: DocxContent): string[] {
  const notes = [...content.notes.values()].flat();
  return [...ownBlocks(content), ...notes].flatMap(linesOf);
}

function linesOf(block: DocxBlock): string[] {
  if (block.type === 'code') return block.text.split('\n');
  if (block.type === 'table') return block.rows.flatMap((row) => row.map((cell) => cell));
  if (block.type === 'heading' || block.list === null) return [block.text];
  const mark = block.list.number === null ? '•' : `${block.list.number}${block.list.delimiter}`;
  return [`${mark} ${block.text}`];
}
