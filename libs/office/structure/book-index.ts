import { countWhile } from '#contracts/count-while.js';
import type { Inline, Structure } from '#contracts/structure.js';
import { allBlocks } from './text.js';

/** A term of a book's index, and the lines of the Markdown that mention it. */
export interface IndexTerm {
  term: string;
  lines: number[];
}

/** An entry of an index, and the anchors of its places in the order of the text. */
export interface IndexEntry {
  term: string;
  anchors: string[];
}

/** ID of the heading of the index, which ends the book. */
export const INDEX_ID = 'scriptorium-index';

/**
 * Marks the places of the terms in a copy of a book, and adds the heading of the index.
 *
 * @returns the same structure if there are no terms
 */
export function withIndex(
  book: Structure,
  terms: readonly IndexTerm[],
  title: string,
): { structure: Structure; entries: IndexEntry[] } {
  if (terms.length === 0) return { structure: book, entries: [] };
  const structure = structuredClone(book);
  const places = allBlocks(structure.blocks).flatMap((block): { end: number; content: Inline[] }[] => {
    if (block.type === 'paragraph') return [{ end: block.end_line, content: block.content }];
    const cell = block.type === 'table' ? block.rows[0]?.cells[0] : undefined;
    return cell ? [{ end: block.end_line, content: cell }] : [];
  });
  const anchorAt = (line: number): string[] => {
    const index = countWhile(places.length, (i) => places[i]!.end < line);
    const content = places[index]?.content;
    if (!content) return [];
    const id = `index-${index + 1}`;
    if (content[0]?.type !== 'anchor' || content[0].id !== id) content.unshift({ type: 'anchor', id });
    return [id];
  };
  const entries = terms.map(({ term, lines }) => ({ term, anchors: [...new Set(lines.flatMap(anchorAt))] }));
  const line = structure.blocks.reduce((last, { end_line }) => Math.max(last, end_line), 1) + 1;
  const content: Inline[] = [{ type: 'text', value: title }];
  structure.blocks.push({ type: 'heading', level: 1, id: INDEX_ID, content, line, end_line: line });
  structure.headings.push({ id: INDEX_ID, level: 1, text: title, line });
  return { structure, entries: entries.filter(({ anchors }) => anchors.length > 0) };
}
