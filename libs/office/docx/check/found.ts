import type { DocxBlock, DocxContent, DocxParagraph } from '../read/read.js';
import { withoutLabel } from '../../structure/caption-label.js';
import { clean, type Expected } from './expected.js';
import { ownBlocks } from './visible.js';

/** Content found in a file, by rule, in order; null is an image that the file reports as missing. */
export type Found = Record<keyof Expected, (string | null)[]>;

export function foundContent(content: DocxContent): Found {
  const found: Found = {
    headings: [],
    code: [],
    lists: [],
    tables: [],
    words: [],
    links: [],
    images: [],
    notes: [],
    marks: [],
  };
  const noteIds = [...content.notes.keys()];
  const add = (block: DocxBlock): void => addBlock(block, found, content, noteIds);
  for (const block of ownBlocks(content)) add(block);
  for (const blocks of content.notes.values()) blocks.forEach(add);
  return found;
}

function addBlock(block: DocxBlock, found: Found, content: DocxContent, noteIds: string[]): void {
  if (block.type === 'code') return void found.code.push(block.text);
  if (block.type === 'heading') found.headings.push(`${block.level} ${clean(block.text)}`);
  else if (block.type === 'table') {
    const rows = block.rows.map((row) => row.map(clean).join('\t'));
    found.tables.push([`${block.columns}x${block.rows.length} ${block.headerRows}`, ...rows].join('\n'));
  } else addParagraph(block, found);
  for (const link of block.links) {
    const text = clean(link.text);
    const inside = link.target.startsWith('#');
    const target = inside
      ? content.bookmarks.has(link.target.slice(1))
        ? '#'
        : '(no such place)'
      : link.target;
    if (text !== '') found.links.push(`${text} → ${target}`);
  }
  for (const { text, marks } of block.marked)
    if (clean(text) !== '') found.marks.push(`${marks.join()}: ${clean(text)}`);
  for (const image of block.images) found.images.push(image.missing ? null : clean(image.alt));
  for (const id of block.notes) found.notes.push(String(noteIds.indexOf(id) + 1));
}

function addParagraph(block: DocxParagraph, found: Found): void {
  if (block.list) found.lists.push(`${block.list.depth} ${block.list.number ?? '•'}`);
  const text = clean(block.text);
  const words = block.style.toLowerCase() === 'caption' ? withoutLabel(text) : text;
  if (words !== '') found.words.push(words);
}
