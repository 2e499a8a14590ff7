import { oneLine, withLineFeeds } from '#contracts/text.js';
import type { Block, Inline, ListBlock, Mark, Structure, TableBlock } from '#contracts/structure.js';
import { removeLabel, withoutLabel } from '../../structure/caption-label.js';
import { tableParts } from '../../structure/wide-tables.js';
import { replaceIllegalXmlChars } from '../write/xml.js';
import { linkTarget } from '../write/links.js';

interface Place {
  text: string;
  line: number;
}

/** Expected content of a file, by rule, in document order. */
export interface Expected {
  headings: Place[];
  code: Place[];
  lists: Place[];
  tables: Place[];
  words: Place[];
  links: Place[];
  images: Place[];
  notes: Place[];
  marks: Place[];
}

/** Deepest list level of Word. */
const LAST_LEVEL = 8;

/** Derives the expected content of a file from its structure. */
export function expectedContent(structure: Structure): Expected {
  const collector = new Collector(structure);
  collector.blocks(structure.blocks, 0);
  for (const note of structure.notes) collector.note(note.blocks);
  return collector.expected;
}

class Collector {
  readonly expected: Expected = {
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
  private readonly noteNumbers: Map<string, number>;
  private insideNote = false;

  constructor(structure: Structure) {
    this.noteNumbers = new Map(structure.notes.map((note) => [note.id, note.number]));
  }

  blocks(blocks: readonly Block[], depth: number): void {
    for (const block of blocks) this.block(block, depth);
  }

  /** Collects a note's blocks; references to other notes inside are ignored. */
  note(blocks: readonly Block[]): void {
    this.insideNote = true;
    this.blocks(blocks, 0);
  }

  private block(block: Block, depth: number): void {
    const { line } = block;
    switch (block.type) {
      case 'heading':
        this.expected.headings.push({ text: `${block.level} ${this.text(block.content)}`, line });
        return this.inlines(block.content, line);
      case 'paragraph':
        this.words(this.text(block.content), line);
        return this.inlines(block.content, line);
      case 'code':
        return this.code(block.text, line);
      case 'list':
        return this.list(block, depth);
      case 'quote':
      case 'callout':
        return this.blocks(block.blocks, depth);
      case 'table':
        return this.table(block);
      case 'figure':
        this.words(withoutLabel(clean(block.caption)), line);
        return this.inlines([block.image], line);
      default:
    }
  }

  private code(text: string, line: number): void {
    this.expected.code.push({ text: replaceIllegalXmlChars(withLineFeeds(text)), line });
  }

  private list(block: ListBlock, depth: number): void {
    block.items.forEach((item, i) => {
      const number = block.ordered ? (block.start ?? 1) + i : '•';
      const [first, ...rest] = item.blocks;
      const line = first?.line ?? block.line;
      const box = item.checked === null ? '' : item.checked ? '☒ ' : '☐ ';
      this.expected.lists.push({ text: `${Math.min(depth, LAST_LEVEL)} ${number}`, line });
      if (first?.type === 'paragraph') {
        this.words(clean(box + rawText(first.content)), line);
        this.inlines(first.content, line);
        this.blocks(rest, depth + 1);
      } else {
        this.words(clean(box), line);
        this.blocks(item.blocks, depth + 1);
      }
    });
  }

  private table(block: TableBlock): void {
    const rows = block.rows.map((row) => row.cells.map((cell) => this.text(cell)).join('\t'));
    const head = block.rows.findIndex((row) => !row.header);
    const headers = head < 0 ? block.rows.length : head;
    if (block.caption) {
      this.words(this.text(removeLabel(block.caption)), block.line);
      this.inlines(block.caption, block.line);
    }
    this.expected.tables.push({
      text: [`${block.align.length}x${rows.length} ${headers}`, ...rows].join('\n'),
      line: block.line,
    });
    for (const { table } of tableParts(block))
      for (const row of table.rows) for (const cell of row.cells) this.inlines(cell, block.line);
  }

  private words(text: string, line: number): void {
    if (text !== '') this.expected.words.push({ text, line });
  }

  private inlines(content: readonly Inline[], line: number): void {
    for (const { text, marks } of markedRuns(content)) {
      if (marks !== '' && clean(text) !== '')
        this.expected.marks.push({ text: `${marks}: ${clean(text)}`, line });
    }
    this.targets(content, line);
  }

  /** Collects links, images and note references. */
  private targets(content: readonly Inline[], line: number): void {
    for (const inline of content) {
      if (inline.type === 'link') {
        const target = inline.anchor !== null ? '#' : linkTarget(inline.url);
        const text = this.text(inline.content);
        if (text !== '' && target !== null) this.expected.links.push({ text: `${text} → ${target}`, line });
        this.targets(inline.content, line);
      } else if (inline.type === 'image') this.expected.images.push({ text: clean(inline.alt), line });
      else if (inline.type === 'note_ref' && !this.insideNote) this.noteRef(inline.id, line);
    }
  }

  private noteRef(id: string, line: number): void {
    const number = this.noteNumbers.get(id);
    if (number !== undefined) this.expected.notes.push({ text: String(number), line });
  }

  /** Returns the words of inline content, without formulas and images. */
  private text(content: readonly Inline[]): string {
    return clean(rawText(content));
  }
}

function rawText(content: readonly Inline[]): string {
  return content
    .map((inline) => {
      if (inline.type === 'text') return inline.value;
      if (inline.type === 'break') return ' ';
      return inline.type === 'link' ? rawText(inline.content) : '';
    })
    .join('');
}

const COMPARED: readonly Mark[] = ['bold', 'italic', 'strike', 'code'];

/** Merges adjacent words with the same formatting, as the reader of the file does. */
function markedRuns(
  content: readonly Inline[],
  runs: { text: string; marks: string }[] = [],
): { text: string; marks: string }[] {
  for (const inline of content) {
    if (inline.type === 'link') markedRuns(inline.content, runs);
    if (inline.type !== 'text' && inline.type !== 'break') continue;
    const text = inline.type === 'text' ? inline.value : '\n';
    const marks =
      inline.type === 'text' ? COMPARED.filter((mark) => inline.marks?.includes(mark)).join() : '';
    const last = runs.at(-1);
    if (last?.marks === marks) last.text += text;
    else if (text !== '') runs.push({ text, marks });
  }
  return runs;
}

/** Normalizes text for comparison: collapses white space and replaces characters that XML forbids. */
export function clean(text: string): string {
  return oneLine(replaceIllegalXmlChars(text));
}
