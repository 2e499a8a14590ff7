import { SaxesParser } from 'saxes';
import { unpack } from './archive.js';
import { Numbering } from './docx-numbering.js';
import { WordMedia } from './docx-media.js';
import type { EmbeddedImages } from './embedded-images.js';
import { ExtractionError } from './errors.js';
import { imageMarkdown, InlineText } from './inline-text.js';
import { contentsMark } from './left-out.js';
import { ListLevels } from './list-levels.js';
import { tableRow } from './table.js';

const DOCUMENT = 'word/document.xml';
const PARTS = new Set([
  DOCUMENT,
  'word/numbering.xml',
  'word/styles.xml',
  'word/footnotes.xml',
  'word/endnotes.xml',
  'word/_rels/document.xml.rels',
]);

/**
 * Returns the text of a Word document as Markdown: headings, paragraphs, lists, tables, notes at the end.
 * Text deleted in tracked changes is omitted, inserted text is included. A comment replaces the table of
 * contents, which only repeats the headings.
 *
 * @throws ExtractionError for a damaged or oversized file
 */
export function docxText(bytes: Uint8Array, fileName: string, images: EmbeddedImages): string {
  const parts = unpack(bytes, (name) => PARTS.has(name), fileName);
  const read = (name: string) => {
    const part = parts.get(name);
    return part ? new TextDecoder().decode(part) : null;
  };
  const body = read(DOCUMENT);
  if (body === null) throw new ExtractionError(`${fileName} is no Word document`);
  try {
    const numbering = new Numbering(read('word/numbering.xml'));
    const styles = paragraphStyles(read('word/styles.xml'));
    const media = new WordMedia(bytes, fileName, read('word/_rels/document.xml.rels'), images);
    const texts = [body, read('word/footnotes.xml'), read('word/endnotes.xml')].filter((xml) => xml !== null);
    const blocks = texts.flatMap((xml) => new BodyReader(numbering, styles, media).read(xml));
    return blocks.length > 0 ? `${blocks.join('\n')}\n` : '';
  } catch (error) {
    throw new ExtractionError(
      `${fileName} is damaged: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

interface ParagraphStyles {
  /** Heading level by style ID, from the outline level or the built-in name. */
  levels: Map<string, number>;
  /** IDs of table-of-contents styles. */
  contents: Set<string>;
}

function paragraphStyles(xml: string | null): ParagraphStyles {
  const levels = new Map<string, number>();
  const contents = new Set<string>();
  if (xml === null) return { levels, contents };
  let style = '';
  const parser = new SaxesParser();
  parser.on('opentag', ({ name, attributes }) => {
    if (name === 'w:style') style = attributes['w:styleId'] ?? '';
    else if (name === 'w:outlineLvl') levels.set(style, Number(attributes['w:val']) + 1);
    else if (name === 'w:name') {
      const match = /^heading ([1-9])$/i.exec(attributes['w:val'] ?? '');
      if (match) levels.set(style, Number(match[1]));
      else if (/^title$/i.test(attributes['w:val'] ?? '')) levels.set(style, 1);
      else if (/^toc (?:[1-9]|heading)$/i.test(attributes['w:val'] ?? '')) contents.add(style);
    }
  });
  parser.write(xml).close();
  return { levels, contents };
}

class BodyReader {
  private readonly blocks: string[] = [];
  private readonly lists = new ListLevels();
  private readonly inline = new InlineText();
  /** Alternative text of the current drawing. */
  private alt = '';
  private heading = 0;
  private list: { number: string; level: number } | null = null;
  private skip = 0;
  private inText = false;
  private rows: string[][] = [];
  private cell: string[] = [];
  private tables = 0;
  private afterList = false;
  /**
   * Nesting depth of content controls, and the depth of the one with a table of contents; 0 if there is none.
   */
  private controls = 0;
  private contentsControl = 0;
  private ofContents = false;
  /** Number of table-of-contents lines omitted so far, as stated in the last block. */
  private contentsLines = 0;

  constructor(
    private readonly numbering: Numbering,
    private readonly styles: ParagraphStyles,
    private readonly media: WordMedia,
  ) {}

  read(xml: string): string[] {
    const parser = new SaxesParser();
    parser.on('opentag', ({ name, attributes }) => this.open(name, attributes));
    parser.on('text', (text) => {
      if (this.inText) this.words(text);
    });
    parser.on('closetag', ({ name }) => this.close(name));
    parser.write(xml).close();
    return this.blocks;
  }

  private open(name: string, attributes: Record<string, string>): void {
    // The file contains a text box twice, the second time as a fallback for old readers.
    if (name === 'w:del' || name === 'w:moveFrom' || name === 'mc:Fallback') this.skip++;
    else if (name === 'w:t') this.inText = true;
    else if (name === 'w:tab') this.words('\t');
    else if (name === 'w:br' || name === 'w:cr') this.words('\n');
    else if (name === 'w:noBreakHyphen') this.words('\u2011');
    else if (name === 'wp:docPr') this.alt = attributes['descr'] ?? '';
    else if (name === 'a:blip') this.image(attributes['r:embed'] ?? '');
    else if (name === 'v:imagedata') this.image(attributes['r:id'] ?? '');
    else if (name === 'w:tbl') this.tables++;
    else if (name === 'w:sdt') this.controls++;
    else if (name === 'w:tr' && this.tables === 1) this.rows.push([]);
    else this.property(name, attributes['w:val'] ?? '');
  }

  private words(text: string): void {
    if (this.skip === 0) this.inline.text(text);
  }

  private image(id: string): void {
    const name = this.skip === 0 ? this.media.name(id) : null;
    if (name !== null) this.inline.markdown(imageMarkdown(name, this.alt));
    this.alt = '';
  }

  private property(name: string, value: string): void {
    if (name === 'w:pStyle') {
      this.heading = this.styles.levels.get(value) ?? Number(/^heading([1-9])$/i.exec(value)?.[1] ?? 0);
      this.ofContents = this.styles.contents.has(value);
    } else if (name === 'w:docPartGallery' && value === 'Table of Contents')
      this.contentsControl ||= this.controls;
    else if (name === 'w:outlineLvl' && Number(value) < 9) this.heading = Number(value) + 1;
    else if (name === 'w:ilvl')
      this.list = { number: this.list?.number ?? '', level: Math.min(8, Number(value) || 0) };
    else if (name === 'w:numId') this.list = { number: value, level: this.list?.level ?? 0 };
  }

  private close(name: string): void {
    if (name === 'w:del' || name === 'w:moveFrom' || name === 'mc:Fallback') this.skip--;
    else if (name === 'w:t') this.inText = false;
    else if (name === 'w:p') this.paragraph();
    else if (name === 'w:sdt') this.endControl();
    else if (name === 'w:tc' && this.tables === 1) this.rows[this.rows.length - 1]?.push(this.takeCell());
    else if (name === 'w:tbl' && --this.tables === 0) this.table();
  }

  private takeCell(): string {
    const text = this.cell.join('<br>');
    this.cell = [];
    return text;
  }

  private endControl(): void {
    if (this.controls === this.contentsControl) this.contentsControl = 0;
    this.controls--;
  }

  /** Counts omitted lines in a single comment. */
  private leaveOut(lines: readonly string[]): void {
    if (lines.length === 0) return;
    if (this.contentsLines > 0) this.blocks.pop();
    else if (this.blocks.length > 0) this.blocks.push('');
    this.contentsLines += lines.length;
    this.blocks.push(contentsMark(this.contentsLines));
    this.afterList = false;
  }

  private paragraph(): void {
    const { heading, list } = this;
    const ofContents = (this.ofContents || this.contentsControl > 0) && this.tables === 0;
    this.heading = 0;
    this.list = null;
    this.ofContents = false;
    const lines = this.tables > 0 ? [] : this.inline.takeLines();
    if (ofContents) return this.leaveOut(lines);
    if (this.tables > 0) {
      const cell = this.inline.take().trim();
      if (cell !== '') this.cell.push(cell.replace(/\n/g, '<br>'));
    }
    if (lines.length === 0) return;
    this.contentsLines = 0;
    const item = heading === 0 && list !== null && list.number !== '0';
    const continues = item && this.afterList;
    if (this.blocks.length > 0 && !continues) this.blocks.push('');
    this.afterList = item;
    if (heading > 0) this.blocks.push(`${'#'.repeat(Math.min(6, heading))} ${lines.join(' ')}`);
    else if (item) {
      const marker = this.numbering.next(list.number, list.level);
      this.blocks.push(this.lists.prefix(list.level, marker, continues) + lines.join(' '));
    } else this.blocks.push(...lines);
  }

  private table(): void {
    const rows = this.rows.filter((row) => row.length > 0);
    this.rows = [];
    if (rows.length === 0) return;
    this.contentsLines = 0;
    const columns = Math.max(...rows.map((row) => row.length));
    if (this.blocks.length > 0) this.blocks.push('');
    rows.forEach((row, index) => {
      this.blocks.push(tableRow(row, columns));
      if (index === 0) this.blocks.push(tableRow(new Array<string>(columns).fill('---'), columns));
    });
    this.afterList = false;
  }
}
