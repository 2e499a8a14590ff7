import type { Label, Numbering } from '#extraction/numbering.js';
import type { Relationship } from '#extraction/ooxml/package.js';
import { readXml, type Attributes } from '#extraction/xml.js';
import { ParagraphReader, type Field } from './paragraph.js';
import type { DocxBlock, DocxTable, TocLine } from './types.js';

interface PartContext {
  styles: ReadStyles;
  numbering: Numbering;
  relationships: ReadonlyMap<string, Relationship>;
  /** Returns the size of a part in bytes; 0 for a missing part. */
  sizeOf(path: string): number;
}

interface ReadPart {
  blocks: DocxBlock[];
  toc: TocLine[];
  notes: Map<string, DocxBlock[]>;
  bookmarks: Set<string>;
}

/** Reads the paragraphs and tables of a part: the document or its notes. */
export function readBody(xml: Uint8Array, context: PartContext): ReadPart {
  const reader = new BodyReader(context);
  readXml(xml, {
    open: (name, attributes) => reader.open(name, attributes),
    close: (name) => reader.close(name),
    text: (text) => reader.text(text),
  });
  return reader.part;
}

class BodyReader {
  readonly part: ReadPart = { blocks: [], toc: [], notes: new Map(), bookmarks: new Set() };
  /** Target for new blocks: the body or the open note. */
  private target: DocxBlock[] = this.part.blocks;
  private paragraph: ParagraphReader | null = null;
  private table: DocxTable | null = null;
  private code: string[] = [];
  private tableDepth = 0;
  private tocDepth = 0;
  private structuredDepth = 0;
  private readonly elements: string[] = [];
  private readonly fields: Field[] = [];
  private readonly marked = new Map<string, string>();

  constructor(private readonly context: PartContext) {}

  open(name: string, attributes: Attributes): void {
    this.elements.push(name);
    if (name === 'w:bookmarkStart') this.part.bookmarks.add(attributes['w:name'] ?? '');
    if (name === 'w:p') this.paragraph = this.newParagraph();
    else if (this.paragraph) this.paragraph.open(name, attributes);
    else this.outside(name, attributes);
  }

  close(name: string): void {
    this.elements.pop();
    if (name === 'w:p') this.closeParagraph();
    else if (this.paragraph) this.paragraph.close(name);
    else if (name === 'w:tbl' && --this.tableDepth === 0) this.closeTable();
    else if (name === 'w:footnote' || name === 'w:body') {
      this.endCode();
      this.target = this.part.blocks;
    } else if (name === 'w:sdt' && this.structuredDepth-- === this.tocDepth) this.tocDepth = 0;
  }

  text(text: string): void {
    this.paragraph?.addText(this.elements.at(-1) ?? '', text);
  }

  private newParagraph(): ParagraphReader {
    const { relationships, sizeOf, styles } = this.context;
    const target = (id: string): string => relationships.get(id)?.target ?? '';
    const resolve = {
      link: target,
      bytes: (id: string): number => sizeOf(target(id)),
      styleName: (id: string): string => styles.name(id),
    };
    return new ParagraphReader(resolve, this.fields, this.marked);
  }

  private outside(name: string, attributes: Record<string, string>): void {
    if (name === 'w:sdt') this.structuredDepth++;
    else if (name === 'w:docPartGallery' && attributes['w:val'] === 'Table of Contents')
      this.tocDepth = this.structuredDepth;
    else if (name === 'w:footnote') this.openNote(attributes);
    else if (name === 'w:tbl') this.openTable();
    else if (this.table && this.tableDepth === 1) this.tablePart(this.table, name, attributes);
  }

  private openNote(attributes: Record<string, string>): void {
    this.target = [];
    if (!attributes['w:type'] || attributes['w:type'] === 'normal')
      this.part.notes.set(attributes['w:id'] ?? '', this.target);
  }

  private openTable(): void {
    this.tableDepth++;
    if (this.tableDepth > 1) return;
    this.table = {
      type: 'table',
      rows: [],
      headerRows: 0,
      align: [],
      columns: 0,
      part: null,
      text: '',
      links: [],
      images: [],
      notes: [],
      formulas: [],
      marked: [],
    };
  }

  private tablePart(table: DocxTable, name: string, attributes: Record<string, string>): void {
    if (name === 'w:tr') table.rows.push([]);
    else if (name === 'w:tc') table.rows.at(-1)?.push('');
    else if (name === 'w:tblHeader') table.headerRows++;
    else if (name === 'w:gridCol') table.columns++;
    else if (name === 'w:tblDescription') table.part = readPart(attributes['w:val'] ?? '');
  }

  private closeTable(): void {
    if (!this.table) return;
    this.table.text = this.table.rows.map((row) => row.join('\t')).join('\n');
    const before = this.target.findLast((block) => block.type === 'table');
    if (before && joinParts(before, this.table)) this.endCode();
    else this.push(this.table);
    this.table = null;
  }

  private closeParagraph(): void {
    const { paragraph } = this;
    this.paragraph = null;
    if (!paragraph) return;
    if (this.table) this.cellParagraph(this.table, paragraph);
    else if (this.tocDepth > 0) this.tocParagraph(paragraph);
    else this.push(this.block(paragraph));
  }

  private cellParagraph(table: DocxTable, paragraph: ParagraphReader): void {
    const row = table.rows.at(-1);
    if (!row) return;
    const before = row.pop() ?? '';
    row.push(before === '' ? paragraph.text : `${before}\n${paragraph.text}`);
    table.align[row.length - 1] = paragraph.align;
    table.links.push(...paragraph.links);
    table.images.push(...paragraph.images);
    table.notes.push(...paragraph.notes);
    table.formulas.push(...paragraph.formulas);
    table.marked.push(...paragraph.marked);
  }

  private tocParagraph(paragraph: ParagraphReader): void {
    const at = paragraph.text.lastIndexOf('\t');
    if (at >= 0)
      this.part.toc.push({
        text: paragraph.text.slice(0, at),
        page: paragraph.text.slice(at + 1),
        bookmark: paragraph.links[0]?.target.slice(1) ?? '',
      });
  }

  /** Appends a block; consecutive code paragraphs become the lines of one block. */
  private push(block: DocxBlock): void {
    const last = this.target.at(-1);
    if (block.type === 'code' && last?.type === 'code') this.code.push(block.text);
    else {
      this.endCode();
      this.target.push(block);
      if (block.type === 'code') this.code = [block.text];
    }
  }

  /** Joins the code lines once at the end, since a block may have a hundred thousand lines. */
  private endCode(): void {
    const last = this.target.at(-1);
    if (last?.type === 'code') last.text = this.code.join('\n');
    this.code = [];
  }

  private block(paragraph: ParagraphReader): DocxBlock {
    const { text, links, images, notes, formulas, marked, numbering, rightToLeft } = paragraph;
    const words = { text, links, images, notes, formulas, marked };
    const style = this.context.styles.name(paragraph.style);
    const level = this.context.styles.headingLevel(paragraph.style);
    if (level !== null) return { type: 'heading', level, bookmarks: paragraph.bookmarks, ...words };
    if (style.startsWith('Source Code')) return { type: 'code', text };
    const isItem = numbering !== null && this.context.numbering.has(numbering.instance);
    const list = isItem
      ? {
          ...markOf(this.context.numbering.next(numbering.instance, numbering.level)),
          ...{ depth: numbering.level, instance: numbering.instance },
        }
      : null;
    return { type: 'paragraph', style, list, rightToLeft, ...words };
  }
}

/** Returns the text of a label: the number of the item, and the following character. */
function markOf({ text, value }: Label): { ordered: boolean; number: number | null; delimiter: string } {
  const ordered = text !== '';
  return { ordered, number: ordered ? value : null, delimiter: text.endsWith(')') ? ')' : '.' };
}

/** Parses which columns of a table a part shows, from its description. */
function readPart(description: string): DocxTable['part'] {
  const [, first, last] = /^columns (\d+)-(\d+) of \d+$/.exec(description) ?? [];
  return first === undefined ? null : { first: Number(first), last: Number(last) };
}

/**
 * Appends the next part to a table, without the first column, which every part repeats; returns false if it
 * is not the next part.
 */
function joinParts(table: DocxTable, next: DocxTable): boolean {
  if (!table.part || !next.part || table.part.last + 1 !== next.part.first) return false;
  if (table.rows.length !== next.rows.length) return false;
  table.rows.forEach((row, i) => row.push(...(next.rows[i]?.slice(1) ?? [])));
  table.align.push(...next.align.slice(1));
  table.columns += next.columns - 1;
  table.part.last = next.part.last;
  table.text = table.rows.map((row) => row.join('\t')).join('\n');
  table.links.push(...next.links);
  table.images.push(...next.images);
  table.notes.push(...next.notes);
  table.formulas.push(...next.formulas);
  table.marked.push(...next.marked);
  return true;
}

interface ReadStyles {
  name(id: string): string;
  /** Returns the level of a heading style by its name; null for other styles. */
  headingLevel(id: string): number | null;
}

/** Reads the names of the styles. @param xml null if the file has none */
export function readStyles(xml: string | null): ReadStyles {
  const names = new Map<string, string>();
  let current = '';
  if (xml !== null)
    readXml(xml, {
      open: (name, attributes) => {
        if (name === 'w:style') current = attributes['w:styleId'] ?? '';
        else if (name === 'w:name' && current !== '') names.set(current, attributes['w:val'] ?? current);
      },
      close: (name) => {
        if (name === 'w:style') current = '';
      },
    });
  const name = (id: string): string => names.get(id) ?? id;
  return {
    name,
    headingLevel: (id) => {
      const level = Number(/^heading ([1-6])$/i.exec(name(id))?.[1] ?? 0);
      return level > 0 ? level : null;
    },
  };
}
