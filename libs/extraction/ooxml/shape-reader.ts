import { oneLine } from '#contracts/text.js';
import { escapeInline } from '#markdown/escape.js';
import { DocumentText, type Item } from '../document-text.js';
import { FormulaReader } from '../docx/formula.js';
import { imageMarkdown } from '../inline-text.js';
import { letterNumber, romanNumber } from '../number-formats.js';
import { StyledText } from '../styled-text.js';
import { readXml, type Attributes } from '../xml.js';
import { readChart } from './chart.js';
import type { PackageMedia } from './media.js';
import type { OfficePackage, Relationship } from './package.js';

/** Place of a box on a slide, from its upper left corner, in any unit. */
export interface Box {
  x: number;
  y: number;
  right: number;
  bottom: number;
}

interface Placed<Item> {
  item: Item;
  box: Box;
}

/** Share of its size by which a box may overlap the next one on each side. */
const OVERLAP = 0.05;

/**
 * Returns items in the order in which a reader sees their boxes: the widest strip of space divides them, into rows from the top or columns
 * from the left, and each part again. Boxes that overlap are read from the top; a frame comes before the boxes in it. Items at one place
 * stay in their order.
 */
export function inSeenOrder<Item>(items: readonly Placed<Item>[]): Item[] {
  if (items.length < 2) return items.map(({ item }) => item);
  const rows = cut(items, 'y', 'bottom');
  const columns = cut(items, 'x', 'right');
  const best = columns && (!rows || columns.gap > rows.gap) ? columns : rows;
  if (best) return best.parts.flatMap(inSeenOrder);
  const frame = items.find(({ box }) => items.every((other) => isAround(box, other.box)));
  if (frame) return [frame.item, ...inSeenOrder(items.filter((each) => each !== frame))];
  return [...items].sort((a, b) => a.box.y - b.box.y || a.box.x - b.box.x).map(({ item }) => item);
}

/** Divides items at the widest gap along one axis; null if there is none. */
function cut<Item>(
  items: readonly Placed<Item>[],
  from: 'x' | 'y',
  to: 'right' | 'bottom',
): { gap: number; parts: Placed<Item>[][] } | null {
  const ordered = [...items].sort((a, b) => a.box[from] - b.box[from]);
  let end = -Infinity;
  let best = { gap: -Infinity, at: 0 };
  for (const [at, { box }] of ordered.entries()) {
    const gap = box[from] - end;
    if (at > 0 && gap > best.gap) best = { gap, at };
    end = Math.max(end, box[to] - (box[to] - box[from]) * OVERLAP);
  }
  if (best.gap < 0) return null;
  return { gap: best.gap, parts: [ordered.slice(0, best.at), ordered.slice(best.at)] };
}

function isAround(frame: Box, { x, y, right, bottom }: Box): boolean {
  const [middle, centre] = [(x + right) / 2, (y + bottom) / 2];
  return middle >= frame.x && middle <= frame.right && centre >= frame.y && centre <= frame.bottom;
}

/** A shape of a slide or drawing. */
export interface Shape {
  /** Kind of a slide's placeholder, such as `title`; null for other shapes. */
  placeholder: string | null;
  /** Number by which the layout gives the place of a placeholder; '' without one. */
  index: string;
  /** Place on the slide; null if only the layout gives it. */
  box: Box | null;
  isHidden: boolean;
  text: DocumentText;
  /** Words of the shape without Markdown, for comments. */
  plain: string;
  /** Lines of its first paragraph, for a title. */
  lines: string[];
  /** Whether it has one paragraph, outside lists and tables; null without paragraphs. */
  isSingle: boolean | null;
  /** Size of its largest letters, in hundredths of a point. */
  letters: number;
}

/** Group of shapes: its own place, and the coordinates of the shapes in it. */
interface Group {
  place: Box;
  inner: Box;
}

const NOWHERE: Box = { x: 0, y: 0, right: 0, bottom: 0 };

/** Size of letters that a file does not give. */
const LETTERS = 1_800;

const SHAPE = /^(?:p|xdr|dsp|wps|cdr):(?:sp|cxnSp|pic|graphicFrame|wsp)$/;

/** Reads the shapes of a slide or drawing: their paragraphs, lists, tables, pictures, charts and diagrams. */
export class ShapeReader {
  readonly shapes: Shape[] = [];
  private readonly inline = new StyledText();
  private readonly formula = new FormulaReader();
  private skip = 0;
  /** Open alternatives, each with whether its first form cannot be read. */
  private readonly alternatives: boolean[] = [];
  private isRun = false;
  private isText = false;
  private bullet: 'none' | 'character' | 'number' | null = null;
  private numbering: Attributes = {};
  private level = 0;
  private counters: number[] = [];
  private readonly groups: Group[] = [];
  private inGroup = false;
  private corner = { x: 0, y: 0 };
  private link = '';
  private alt = '';

  constructor(
    private readonly parts: OfficePackage,
    private readonly media: PackageMedia,
    private readonly relationships: ReadonlyMap<string, Relationship>,
    /** Whether text in the body of a slide has bullets by default. */
    private readonly hasBullets = false,
  ) {}

  read(xml: string): Shape[] {
    readXml(xml, {
      open: (name, attributes) => this.open(name, attributes),
      text: (text) => this.text(text),
      close: (name) => this.close(name),
    });
    this.endDescription();
    return this.shapes;
  }

  private get shape(): Shape {
    return this.shapes.at(-1) ?? this.beginShape();
  }

  private open(name: string, attributes: Attributes): void {
    if (this.formula.isReading || name === 'm:oMath') return this.formula.begin(name, attributes);
    if (name === 'mc:AlternateContent') this.alternatives.push(false);
    else if (name === 'mc:Choice' && attributes['Requires'] === 'v') {
      this.alternatives[this.alternatives.length - 1] = true;
      this.skip++;
    } else if (name === 'mc:Fallback' && !this.alternatives.at(-1)) this.skip++;
    if (this.skip > 0) return;
    if (SHAPE.test(name)) {
      this.endDescription();
      this.beginShape();
    } else if (/^(?:p|xdr|wps):cNvPr$/.test(name)) this.describe(attributes);
    else if (name === 'p:grpSp') this.groups.push({ place: NOWHERE, inner: NOWHERE });
    else if (name === 'p:grpSpPr') this.inGroup = true;
    else if (/^a:(?:off|ext|chOff|chExt)$/.test(name)) this.place(name, attributes);
    else if (name === 'p:ph')
      Object.assign(this.shape, {
        placeholder: attributes['type'] ?? 'body',
        index: attributes['idx'] ?? '',
      });
    else if (name === 'a:p') this.beginParagraph();
    else if (name === 'a:pPr') this.level = Math.max(0, Math.min(8, Number(attributes['lvl']) || 0));
    else if (name === 'a:buNone') this.bullet = 'none';
    else if (name === 'a:buChar' || name === 'a:buBlip') this.bullet = 'character';
    else if (name === 'a:buAutoNum') Object.assign(this, { bullet: 'number', numbering: attributes });
    else if (name === 'a:r' || name === 'a:fld') this.isRun = true;
    else if (name === 'a:rPr') this.runProperties(attributes);
    else if (name === 'a:hlinkClick') this.beginLink(attributes['r:id'] ?? '');
    else if (name === 'a:br') this.words('\n');
    else if (name === 'a:tab') this.words('\t');
    else if (name === 'a:t') this.isText = true;
    else if (name === 'a:tbl') this.shape.text.beginTable();
    else if (name === 'a:tr') this.shape.text.beginRow();
    else if (name === 'a:blip') this.picture(attributes['r:embed'] ?? '');
    else if (name === 'c:chart' || name === 'cx:chart') this.chart(attributes['r:id'] ?? '');
    else if (name === 'dgm:relIds') this.diagram(attributes['r:dm'] ?? '');
  }

  private close(name: string): void {
    if (this.formula.isReading) return this.endFormula();
    if (name === 'mc:AlternateContent') this.alternatives.pop();
    else if (name === 'mc:Choice' && this.alternatives.at(-1)) this.skip--;
    else if (name === 'mc:Fallback' && !this.alternatives.at(-1)) this.skip--;
    if (this.skip > 0) return;
    if (name === 'a:t') this.isText = false;
    else if (name === 'p:grpSp') this.groups.pop();
    else if (name === 'p:grpSpPr') this.inGroup = false;
    else if (name === 'a:r' || name === 'a:fld') this.endRun();
    else if (name === 'a:p') this.endParagraph();
    // Cells that a merged one covers are in the file, too, so that no cell spans others.
    else if (name === 'a:tc') this.shape.text.endCell();
    else if (name === 'a:tbl') this.shape.text.endTable();
  }

  private endFormula(): void {
    const formula = this.formula.end();
    if (!formula || this.skip > 0) return;
    this.shape.plain += formula.plain;
    this.inline.formula(formula);
  }

  private text(text: string): void {
    if (this.formula.isReading) this.formula.words(text);
    else if (this.isText && this.skip === 0) this.words(text);
  }

  private words(text: string): void {
    this.shape.plain += text;
    this.inline.words(text);
  }

  private beginShape(): Shape {
    const shape: Shape = {
      ...{ placeholder: null, index: '', box: null, isHidden: false },
      ...{ text: new DocumentText(), plain: '', lines: [], isSingle: null, letters: LETTERS },
    };
    this.shapes.push(shape);
    this.counters = [];
    return shape;
  }

  /** Reads a corner or, after it, the size of a shape or group, and of the coordinates in a group. */
  private place(name: string, { x, y, cx, cy }: Attributes): void {
    if (/off$/i.test(name)) this.corner = { x: Number(x) || 0, y: Number(y) || 0 };
    if (cx === undefined || cy === undefined) return;
    const { corner } = this;
    const box = { ...corner, right: corner.x + (Number(cx) || 0), bottom: corner.y + (Number(cy) || 0) };
    const group = this.inGroup ? this.groups.at(-1) : undefined;
    if (group && name === 'a:ext') Object.assign(group, { place: box, inner: box });
    else if (group) group.inner = box;
    else if (!this.inGroup && this.shapes.length > 0)
      this.shape.box ??= this.groups.reduceRight((own, outer) => outwards(own, outer), box);
  }

  private describe(attributes: Attributes): void {
    this.endDescription();
    this.alt = descriptionOf(attributes);
    this.shape.plain += ` ${this.alt} `;
    if (attributes['hidden'] === '1' || attributes['hidden'] === 'true') this.shape.isHidden = true;
  }

  /** Reports the description of a shape that does not show a picture. */
  private endDescription(): void {
    if (this.alt !== '') this.shape.text.leaveOut('alternative text', this.alt);
    this.alt = '';
  }

  private beginParagraph(): void {
    this.bullet = null;
    this.level = 0;
    this.numbering = {};
  }

  private runProperties(attributes: Attributes): void {
    this.shape.letters = Math.max(this.shape.letters, Number(attributes['sz']) || 0);
    const baseline = Number.parseFloat(attributes['baseline'] ?? '0');
    const strike = attributes['strike'] ?? 'noStrike';
    this.inline.runStyle =
      baseline > 0 ? 'raised' : baseline < 0 ? 'lowered' : strike !== 'noStrike' ? 'struck' : 'plain';
  }

  private beginLink(id: string): void {
    const relationship = this.relationships.get(id);
    // Ignore a link of a whole shape: it does not belong to words.
    if (!relationship?.isExternal || this.link !== '' || !this.isRun) return;
    this.link = relationship.target;
    this.inline.beginPart();
  }

  private endRun(): void {
    if (this.link !== '') this.inline.endLink(this.link);
    this.link = '';
    this.isRun = false;
    this.inline.runStyle = 'plain';
  }

  private endParagraph(): void {
    this.endRun();
    const lines = this.inline.takeLines();
    const { shape } = this;
    shape.plain += ' ';
    if (shape.lines.length === 0) shape.lines = lines;
    const item = lines.length > 0 ? this.item(shape.placeholder) : null;
    if (lines.length > 0) shape.isSingle = shape.isSingle === null && item === null && !shape.text.isInTable;
    shape.text.paragraph(lines, item);
  }

  /** Returns the list item of the current paragraph. Only text of a slide's body has bullets by default. */
  private item(placeholder: string | null): Item | null {
    const { level } = this;
    const isBody = placeholder === 'body' || placeholder === 'obj';
    const bullet = this.bullet ?? (this.hasBullets && isBody ? 'character' : 'none');
    this.counters.length = Math.min(this.counters.length, level + 1);
    if (bullet !== 'number') {
      this.counters.length = Math.min(this.counters.length, level);
      return bullet === 'none' ? null : { label: { text: '', value: 0 }, level };
    }
    const value = (this.counters[level] ?? (Number(this.numbering['startAt']) || 1) - 1) + 1;
    this.counters[level] = value;
    return { label: { text: autoNumber(value, this.numbering['type'] ?? ''), value }, level };
  }

  private picture(id: string): void {
    const name = this.media.name(this.relationships.get(id));
    if (name === null) return;
    this.shape.text.lines([imageMarkdown(name, this.alt)]);
    this.alt = '';
  }

  private chart(id: string): void {
    const chart = readChart(this.parts, this.relationships.get(id)?.target ?? '');
    if (chart === null) return;
    const { titles, rows } = chart;
    for (const title of titles) this.shape.text.words(title);
    this.shape.text.table(rows.map((row) => row.map(escapeInline)));
    this.shape.plain += ` ${[...titles, ...rows.flat()].join(' ')}`;
  }

  /** Adds the words of a diagram, which are stored in a separate part. */
  private diagram(id: string): void {
    const xml = this.parts.text(this.relationships.get(id)?.target ?? '');
    if (xml === null) return;
    const { shape } = this;
    for (const words of diagramWords(xml)) {
      shape.text.words(words, { label: { text: '', value: 0 }, level: 0 });
      shape.plain += ` ${words}`;
    }
  }
}

/** Returns a place in the coordinates of a group in those around it. */
function outwards(box: Box, { place, inner }: Group): Box {
  const [wide, high] = [inner.right - inner.x || 1, inner.bottom - inner.y || 1];
  const across = (x: number) => place.x + ((x - inner.x) * (place.right - place.x || 1)) / wide;
  const down = (y: number) => place.y + ((y - inner.y) * (place.bottom - place.y || 1)) / high;
  return { x: across(box.x), right: across(box.right), y: down(box.y), bottom: down(box.bottom) };
}

/** Returns the title and the description of a shape. */
export const descriptionOf = ({ title = '', descr = '' }: Attributes): string =>
  (title === descr ? descr : `${title} ${descr}`).trim();

/** Returns the words of each point of a diagram. */
export function diagramWords(xml: string): string[] {
  const found: string[] = [];
  let isText = false;
  let words = '';
  readXml(xml, {
    open: (name) => {
      isText = name === 'a:t';
      if (name === 'dgm:pt') words = '';
      else if (name === 'a:p' && words !== '') words += ' ';
    },
    text: (text) => void (isText && (words += text)),
    close: (name) => {
      isText = false;
      if (name === 'dgm:pt' && words.trim() !== '') found.push(oneLine(words));
    },
  });
  return found;
}

/** @param type such as `arabicPeriod` or `alphaLcParenBoth` */
function autoNumber(value: number, type: string): string {
  const small = type.startsWith('alpha')
    ? letterNumber(value)
    : type.startsWith('roman')
      ? romanNumber(value)
      : null;
  const number = small === null ? String(value) : type.includes('Uc') ? small.toUpperCase() : small;
  if (type.endsWith('ParenBoth')) return `(${number})`;
  if (type.endsWith('ParenR')) return `${number})`;
  return type.endsWith('Plain') ? number : `${number}.`;
}
