import { headingIndent, Numbering } from '../numbering.js';
import { LineBreaker, type RunFont } from './line-breaker.js';
import type { FlowItem, Pager } from './pager.js';
import { START, type StyleMetrics } from './style-metrics.js';

export interface FlowContext {
  styles: ReadonlyMap<string, StyleMetrics>;
  /** In twentieths of a point. */
  textWidth: number;
  /** Heights of notes by id. */
  notes: ReadonlyMap<string, number>;
}

const EMU_PER_TWIP = 635;
const DEFAULT_TAB = 720;
const CELL_SIDES = 200;
const CELL_TOP_AND_BOTTOM = 60;
const BORDER = 10;
/** One tag, its attributes, and the text up to the next tag. The writer's own XML has no comments and no CDATA. */
const TAG = /<(\/?)([\w:]+)([^>]*)>([^<]*)/g;

/** Reads the XML that the writer made and gives its paragraphs and tables to a pager, with the lines that each takes. */
export class FlowReader {
  private style: StyleMetrics = START;
  private changes: Partial<StyleMetrics> = {};
  private breaker: LineBreaker | null = null;
  private run: RunFont = START;
  private bookmarks: string[] = [];
  private pageBreak = false;
  private pageBreakBefore = false;
  private fieldCode = 0;
  /** Level of the mark before the paragraph, -1 without one. */
  private markLevel = -1;
  private table: TableState | null = null;

  constructor(
    private readonly context: FlowContext,
    private readonly pager: Pager,
  ) {}

  /** @param end where reading may end, outside of tables */
  read(xml: string, end = xml.length): void {
    TAG.lastIndex = 0;
    for (let match = TAG.exec(xml); match; match = TAG.exec(xml)) {
      if (match.index > end && !this.table) return;
      const [, slash, name = '', attributes = '', text = ''] = match;
      if (slash === '') this.open(name, attributes, text);
      else this.close(name);
    }
  }

  private open(name: string, attributes: string, text: string): void {
    switch (name) {
      case 'w:p':
        this.startParagraph();
        break;
      case 'w:pStyle':
        this.style = this.context.styles.get(valueOf(attributes, 'val')) ?? START;
        break;
      case 'w:spacing':
        take(this.changes, 'before', attributes, 'before');
        take(this.changes, 'after', attributes, 'after');
        break;
      case 'w:ind':
        take(this.changes, 'left', attributes, 'left');
        take(this.changes, 'right', attributes, 'right');
        take(this.changes, 'hanging', attributes, 'hanging');
        break;
      case 'w:keepNext':
        this.changes.keepNext = true;
        break;
      case 'w:pageBreakBefore':
        this.pageBreakBefore = true;
        break;
      case 'w:ilvl':
        this.markLevel = Number(valueOf(attributes, 'val'));
        break;
      case 'w:numId':
        if (Number(valueOf(attributes, 'val')) === Numbering.headingInstance)
          this.changes.left = headingIndent(this.markLevel);
        break;
      case 'w:bookmarkStart':
        this.bookmarks.push(valueOf(attributes, 'name'));
        break;
      default:
        this.inside(name, attributes, text);
    }
  }

  private inside(name: string, attributes: string, text: string): void {
    switch (name) {
      case 'w:r':
        this.run = this.style;
        break;
      case 'w:rStyle':
        this.runStyle(valueOf(attributes, 'val'));
        break;
      case 'w:b':
        this.run = { ...this.run, bold: true };
        break;
      case 'w:vertAlign':
        this.run = { ...this.run, size: this.run.size * 0.58 };
        break;
      case 'w:t':
      case 'm:t':
        if (this.fieldCode === 0) this.lines().text(text, this.run);
        break;
      case 'w:tab':
        if (!attributes.includes('w:pos')) this.lines().tab();
        break;
      case 'w:br':
        if (attributes.includes('page')) this.pageBreak = true;
        else this.lines().break();
        break;
      case 'wp:extent':
        this.lines().image(
          Number(valueOf(attributes, 'cx')) / EMU_PER_TWIP,
          Number(valueOf(attributes, 'cy')) / EMU_PER_TWIP,
        );
        break;
      case 'w:fldChar':
        this.field(valueOf(attributes, 'fldCharType'));
        break;
      case 'w:footnoteReference':
        this.lines().note(valueOf(attributes, 'id'));
        break;
      default:
        this.tablePart(name, attributes);
    }
  }

  private close(name: string): void {
    if (name === 'w:p') this.endParagraph();
    else if (name === 'w:tc') this.table?.endCell();
    else if (name === 'w:tr') this.table?.endRow();
    else if (name === 'w:tbl' && this.table) {
      const { rows, heads, together } = this.table;
      this.table = null;
      this.pager.addTable(rows, heads, together);
    }
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

  private tablePart(name: string, attributes: string): void {
    if (name === 'w:tbl') this.table = new TableState();
    else if (name === 'w:tblHeader') this.table?.header();
    else if (name === 'w:tcW') this.table?.cell(Number(valueOf(attributes, 'w')));
  }

  private startParagraph(): void {
    this.style = this.context.styles.get('') ?? START;
    this.changes = {};
    this.breaker = null;
    this.bookmarks = [];
    this.pageBreak = false;
    this.pageBreakBefore = false;
    this.markLevel = -1;
  }

  /** The paragraph's lines so far; its properties are known by the time its first run comes. */
  private lines(): LineBreaker {
    if (this.breaker) return this.breaker;
    const { left, right, hanging, tab } = { ...this.style, ...this.changes };
    const room = (this.table ? this.table.cellWidth - CELL_SIDES : this.context.textWidth) - left - right;
    // A mark or number fills what the first line has more than others.
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
    const metrics = { ...this.style, ...this.changes };
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
      pageBreakAfter: this.pageBreak,
    };
    if (this.table) this.table.paragraph(item);
    else this.pager.add(item);
  }
}

function lineHeight(natural: number, { line, rule, size }: StyleMetrics): number {
  if (rule === 'exact') return line;
  const own = natural > 0 ? natural : size * 1.149;
  return rule === 'atLeast' ? Math.max(line, own) : (own * line) / 240;
}

/** A table while its XML goes by. */
class TableState {
  readonly rows: FlowItem[] = [];
  heads = 0;
  cellWidth = 0;
  private height = 0;
  private cellHeight = 0;
  private parts: FlowItem[] = [];
  private keep = 0;

  /** All rows but the last are kept with the next one. */
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

function valueOf(attributes: string, name: string): string {
  const from = attributes.indexOf(`${name}="`);
  if (from < 0) return '';
  const start = from + name.length + 2;
  return attributes.slice(start, attributes.indexOf('"', start));
}

function take(
  target: Partial<StyleMetrics>,
  key: 'before' | 'after' | 'left' | 'right' | 'hanging',
  attributes: string,
  name: string,
): void {
  const value = valueOf(attributes, `w:${name}`);
  if (value !== '') target[key] = Number(value);
}
