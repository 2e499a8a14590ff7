import type { Structure } from '#contracts/structure.js';
import { expectedContent, type Expected, clean } from './expected.js';
import { readDocx, type DocxBlock, type DocxContent, type DocxParagraph } from '../read/read.js';
import { withoutLabel } from '../../structure/caption-label.js';
import { APPENDIX_ID } from '../write/front.js';

/** Difference between a document and its file. `source_line` is the Markdown line; null if unknown. */
export interface QualityIssue {
  rule: string;
  message: string;
  source_line: number | null;
}

/** Maximum number of reported issues; further ones add nothing new. */
const LIMIT = 100;

/**
 * Reads a file back and compares it with its structure (D24 `quality_check`): headings, code, lists, tables,
 * paragraphs, images, links and notes, each in order.
 *
 * @returns at most 100 differences; empty if the file contains everything unchanged
 */
export function checkDocx(structure: Structure, bytes: Uint8Array): QualityIssue[] {
  let found: Found;
  try {
    found = foundContent(readDocx(bytes));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [{ rule: 'readable', message: `The file cannot be opened: ${reason}`, source_line: null }];
  }
  const expected = expectedContent(structure);
  const issues: QualityIssue[] = [];
  for (const rule of Object.keys(expected) as (keyof Expected)[]) {
    issues.push(...compare(rule, expected[rule], found[rule]));
    if (issues.length >= LIMIT) break;
  }
  return issues.slice(0, LIMIT);
}

function compare(
  rule: string,
  expected: Expected[keyof Expected],
  found: readonly (string | null)[],
): QualityIssue[] {
  const issues: QualityIssue[] = [];
  const count = Math.max(expected.length, found.length);
  for (let i = 0; i < count; i++) {
    const expectedElement = expected[i];
    const got = found[i];
    if (got === null || expectedElement?.text === got) continue;
    const message =
      expectedElement === undefined
        ? `not in the source: ${quote(got ?? '')}`
        : got === undefined
          ? `missing: ${quote(expectedElement.text)}`
          : `expected ${quote(expectedElement.text, got)}, found ${quote(got, expectedElement.text)}`;
    issues.push({ rule, message, source_line: expectedElement?.line ?? expected.at(-1)?.line ?? null });
    // After a missing or extra entry, all later ones differ.
    if (expected.length !== found.length) break;
  }
  return issues;
}

/** Quotes a text around the first difference from `other`. */
function quote(text: string, other = ''): string {
  let at = 0;
  while (at < text.length && text[at] === other[at]) at++;
  const from = Math.max(0, at - 20);
  const part = text.slice(from, from + 80);
  return JSON.stringify((from > 0 ? '…' : '') + part + (from + 80 < text.length ? '…' : ''));
}

/** Content found in a file, by rule, in order; null is an image that the file reports as missing. */
type Found = Record<keyof Expected, (string | null)[]>;

function foundContent(content: DocxContent): Found {
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

/** Styles of the cover, table of contents and other paragraphs that are not in the source. */
const ADDED_STYLES = new Set([
  'Title',
  'Subtitle',
  'Author',
  'Date',
  'TOC Heading',
  'Table Part',
  'Half Title',
  'Imprint',
  'index 1',
]);

/** Returns the document's own blocks, without cover, table of contents and appendix. */
function ownBlocks({ blocks }: DocxContent): DocxBlock[] {
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
