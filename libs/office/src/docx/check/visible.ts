import { APPENDIX_ID } from '../write/front.js';
import type { DocxBlock, DocxContent } from '../read/read.js';

/** Paragraphs of the cover and the table of contents, which the source does not have. */
const ADDED_STYLES = new Set(['Title', 'Subtitle', 'Author', 'Date', 'TOC Heading', 'Table Part']);

/** The document's own blocks, without what was put around them: cover and appendix. */
export function ownBlocks({ blocks }: DocxContent): DocxBlock[] {
  const end = blocks.findIndex((block) => block.type === 'heading' && block.bookmarks.includes(APPENDIX_ID));
  const body = end < 0 ? blocks : blocks.slice(0, end);
  return body.filter((block) => block.type !== 'paragraph' || !ADDED_STYLES.has(block.style));
}

/** What a person reads in a document, line by line: paragraphs with the marks of lists, lines of code, rows of tables, notes at the end. */
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
