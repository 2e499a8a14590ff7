import { headingIndent, Numbering } from '../numbering.js';
import { LineBreaker, type RunFont } from './line-breaker.js';
import type { FlowItem, Pager } from './pager.js';
import { START, type StyleMetrics } from './style-metrics.js';

interface FlowContext {
  styles: ReadonlyMap<string, StyleMetrics>;
  /** Width of the text area, and of landscape pages, in twentieths of a point. */
  textWidth: number;
  landscapeWidth: number;
  /** Whether each section is landscape, in order. */
  turns: readonly boolean[];
  /** Heights of notes by ID. */
  notes: ReadonlyMap<string, number>;
}

const EMU_PER_TWIP = 635;
const DEFAULT_TAB = 720;
const CELL_SIDES = 200;
const CELL_TOP_AND_BOTTOM = 60;
const BORDER = 10;
const BLANK = 0x20;
const SLASH = 0x2f;
const GREATER = 0x3e;
/** Length property that a paragraph may override, and the start of its attribute. */
type Length = readonly ['before' | 'after' | 'left' | 'right' | 'hanging', string];

const SPACING: readonly Length[] = [
  ['before', 'w:before="'],
  ['after', 'w:after="'],
];
const INDENTS: readonly Length[] = [
  ['left', 'w:left="'],
  ['right', 'w:right="'],
  ['hanging', 'w:hanging="'],
];

/** Applies a tag to a reader, given its attributes and the text up to the next tag. */
type TagHandler = (reader: FlowReader, attributes: string, text: string) => void;

/** Parses the writer's XML and passes its paragraphs and tables with their line heights to a pager. */
export class FlowReader {
  private style: StyleMetrics = START;
  /** Style with the paragraph's own changes. */
  private metrics: StyleMetrics = START;
  private breaker: LineBreaker | null = null;
  private run: RunFont = START;
  private bookmarks: string[] = [];
  private pageBreak = false;
  private pageBreakBefore = false;
  private fieldCode = 0;
  /** List level of the paragraph's marker; -1 without one. */
  private markLevel = -1;
  private table: TableState | null = null;
  private endsSection = false;
  private section = 0;

  constructor(
    private readonly context: FlowContext,
    private readonly pager: Pager,
  ) {}

  /**
   * @param xml without comments and CDATA, and without `>` in attributes
   * @param end position after which reading stops, at the end of a table or paragraph
   */
  read(xml: string, end = xml.length): void {
    const last = Math.max(end, xml.indexOf('</w:p>', end));
    for (let at = xml.indexOf('<'); at >= 0 && (at <= last || this.table);) {
      const next = xml.indexOf('<', at + 1);
      const tag = TAGS.get(nameHash(xml, at + 1));
      // Skip irrelevant tags, the majority, without copying any text.
      if (tag !== undefined && xml.startsWith(tag.name, at + 1)) {
        const close = xml.indexOf('>', at);
        const attributes = xml.slice(at + 1 + tag.name.length, close);
        tag.handle(this, attributes, xml.slice(close + 1, next < 0 ? undefined : next));
      }
      at = next;
    }
  }

  static readonly handlers: readonly (readonly [string, TagHandler])[] = [
    ['w:p', (reader) => reader.startParagraph()],
    ['/w:p', (reader) => reader.endParagraph()],
    ['w:pStyle', (reader, attributes) => reader.paragraphStyle(valueOf(attributes, 'val="'))],
    ['w:spacing', (reader, attributes) => reader.change(SPACING, attributes)],
    ['w:ind', (reader, attributes) => reader.change(INDENTS, attributes)],
    ['w:keepNext', (reader) => (reader.ownMetrics().keepNext = true)],
    ['w:pageBreakBefore', (reader) => (reader.pageBreakBefore = true)],
    ['w:pgSz', (reader) => (reader.endsSection = true)],
    ['w:ilvl', (reader, attributes) => (reader.markLevel = Number(valueOf(attributes, 'val="')))],
    ['w:numId', (reader, attributes) => reader.numbering(Number(valueOf(attributes, 'val="')))],
    ['w:bookmarkStart', (reader, attributes) => reader.bookmarks.push(valueOf(attributes, 'name="'))],
    ['w:r', (reader) => (reader.run = reader.style)],
    ['w:rStyle', (reader, attributes) => reader.runStyle(valueOf(attributes, 'val="'))],
    ['w:b', (reader) => (reader.run = { ...reader.run, bold: true })],
    ['w:vertAlign', (reader) => (reader.run = { ...reader.run, size: reader.run.size * 0.58 })],
    ['w:t', (reader, _, text) => reader.text(text)],
    ['m:t', (reader, _, text) => reader.text(text)],
    ['w:tab', (reader, attributes) => !attributes.includes('w:pos') && reader.lines().tab()],
    ['w:br', (reader, attributes) => reader.lineEnd(attributes.includes('page'))],
    ['wp:extent', (reader, attributes) => reader.picture(attributes)],
    ['w:fldChar', (reader, attributes) => reader.field(valueOf(attributes, 'fldCharType="'))],
    ['w:footnoteReference', (reader, attributes) => reader.lines().note(valueOf(attributes, 'id="'))],
    ['w:tbl', (reader) => (reader.table = new TableState())],
    ['w:tblHeader', (reader) => reader.table?.header()],
    ['w:tcW', (reader, attributes) => reader.table?.cell(Number(valueOf(attributes, 'w="')))],
    ['/w:tc', (reader) => reader.table?.endCell()],
    ['/w:tr', (reader) => reader.table?.endRow()],
    ['/w:tbl', (reader) => reader.endTable()],
  ];

  private paragraphStyle(id: string): void {
    this.style = this.context.styles.get(id) ?? START;
    this.metrics = this.style;
  }

  /** Returns a copy of the style for modification: all paragraphs of a style share it. */
  private ownMetrics(): StyleMetrics {
    if (this.metrics === this.style) this.metrics = { ...this.style };
    return this.metrics;
  }

  private change(keys: readonly Length[], attributes: string): void {
    for (const [key, start] of keys) {
      const value = valueOf(attributes, start);
      if (value !== '') this.ownMetrics()[key] = Number(value);
    }
  }

  private numbering(instance: number): void {
    if (instance === Numbering.headingInstance) this.ownMetrics().left = headingIndent(this.markLevel);
  }

  private text(text: string): void {
    if (this.fieldCode === 0) this.lines().text(text, this.run);
  }

  private lineEnd(ofPage: boolean): void {
    if (ofPage) this.pageBreak = true;
    else this.lines().break();
  }

  private picture(attributes: string): void {
    const length = (start: string): number => Number(valueOf(attributes, start)) / EMU_PER_TWIP;
    this.lines().image(length('cx="'), length('cy="'));
  }

  private endTable(): void {
    if (!this.table) return;
    const { rows, heads, together } = this.table;
    this.table = null;
    this.pager.addTable(rows, heads, together);
  }

  private field(type: string): void {
    if (type === 'begin') this.fieldCode++;
    else if (type === 'separate') this.fieldCode--;
  }

  private runStyle(id: string): void {
    const style = this.context.styles.get(id) ?? START;
    const usual = this.context.styles.get('') ?? START;
    if (style.fixedWidth) this.run = { ...this.run, fixedWidth: true };
    if (style.size !== usual.size) this.run = { ...this.run, size: style.size, bold: style.bold };
  }

  private startParagraph(): void {
    this.paragraphStyle('');
    this.breaker = null;
    this.bookmarks = [];
    this.pageBreak = false;
    this.pageBreakBefore = false;
    this.markLevel = -1;
    this.endsSection = false;
  }

  /** Returns the paragraph's line breaker; the paragraph's properties precede its first run. */
  private lines(): LineBreaker {
    if (this.breaker) return this.breaker;
    const { left, right, hanging, tab } = this.metrics;
    const room = (this.table ? this.table.cellWidth - CELL_SIDES : this.textWidth) - left - right;
    // The marker or number fills the additional width of the first line.
    this.breaker = new LineBreaker(
      room,
      this.markLevel < 0 ? room + hanging : room,
      tab > 0 ? { every: tab, from: 0 } : { every: DEFAULT_TAB, from: left },
    );
    return this.breaker;
  }

  private endParagraph(): void {
    const breaker = this.lines();
    breaker.finish();
    const { metrics } = this;
    const lines = breaker.heights.map((natural) => lineHeight(natural, metrics));
    const notes = breaker.notes.map(({ line, id }) => ({ line, height: this.context.notes.get(id) ?? 0 }));
    const item: FlowItem = {
      before: metrics.before,
      after: metrics.after,
      lines,
      keepNext: metrics.keepNext,
      keepLines: metrics.keepLines,
      bookmarks: this.bookmarks,
      notes,
      pageBreakBefore: this.pageBreakBefore,
      pageBreakAfter: this.pageBreak || this.endsSection,
    };
    if (this.table) this.table.paragraph(item);
    else this.pager.add(item);
    if (this.endsSection) this.turn();
  }

  /** Begins a section. A page is as high as one turned by 90 degrees is wide. */
  private turn(): void {
    this.section++;
    const { textWidth, landscapeWidth } = this.context;
    this.pager.turn(this.isLandscape ? textWidth : landscapeWidth);
  }

  private get isLandscape(): boolean {
    return this.context.turns[this.section] ?? false;
  }

  private get textWidth(): number {
    return this.isLandscape ? this.context.landscapeWidth : this.context.textWidth;
  }
}

function lineHeight(natural: number, { line, rule, size }: StyleMetrics): number {
  if (rule === 'exact') return line;
  const own = natural > 0 ? natural : size * 1.149;
  return rule === 'atLeast' ? Math.max(line, own) : (own * line) / 240;
}

/** State of a table while its XML is read. */
class TableState {
  readonly rows: FlowItem[] = [];
  heads = 0;
  cellWidth = 0;
  private height = 0;
  private cellHeight = 0;
  private parts: FlowItem[] = [];
  private keep = 0;

  /** Whether all rows but the last are kept with the next one. */
  get together(): boolean {
    return this.keep >= this.rows.length - 1;
  }

  header(): void {
    this.heads++;
  }

  cell(width: number): void {
    this.cellWidth = width;
    this.cellHeight = 0;
  }

  paragraph(item: FlowItem): void {
    this.parts.push(item);
    this.cellHeight += item.before + item.after + item.lines.reduce((sum, line) => sum + line, 0);
  }

  endCell(): void {
    this.height = Math.max(this.height, this.cellHeight);
  }

  endRow(): void {
    if (this.parts.some((part) => part.keepNext)) this.keep++;
    const notes = this.parts.flatMap((part) => part.notes.map(({ height }) => ({ line: 0, height })));
    this.rows.push({
      before: 0,
      after: 0,
      lines: [this.height + CELL_TOP_AND_BOTTOM + BORDER],
      keepNext: false,
      keepLines: true,
      bookmarks: this.parts.flatMap((part) => part.bookmarks),
      notes,
      pageBreakBefore: false,
      pageBreakAfter: false,
    });
    this.height = 0;
    this.parts = [];
  }
}

/** @param start start of the attribute, such as `val="` */
function valueOf(attributes: string, start: string): string {
  const from = attributes.indexOf(start);
  if (from < 0) return '';
  const begin = from + start.length;
  return attributes.slice(begin, attributes.indexOf('"', begin));
}

/**
 * Hashes the tag name that starts at `from` and ends at a blank, a `>`, or a slash after the first character.
 */
function nameHash(xml: string, from: number): number {
  let hash = xml.charCodeAt(from);
  for (let at = from + 1; ; at++) {
    const code = xml.charCodeAt(at);
    if (code === BLANK || code === SLASH || code === GREATER || at === xml.length) return hash;
    hash = (Math.imul(hash, 31) + code) | 0;
  }
}

/** Handled tags by the hash of their name, so that lookups need not copy the name. */
const TAGS: ReadonlyMap<number, { name: string; handle: TagHandler }> = new Map(
  FlowReader.handlers.map(([name, handle]) => [nameHash(name, 0), { name, handle }]),
);
