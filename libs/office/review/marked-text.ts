import { isOn, readXml, type Attributes } from '#extraction/xml.js';
import type { Relationship } from '#extraction/ooxml/package.js';
import { PLACE_PREFIX } from '../docx/write/links.js';
import { openDocx } from '../docx/read/read.js';

/** Who changed a text, and when (ISO 8601, as Word wrote it). */
export interface Revision {
  author: string;
  date: string | null;
  /** Name of the move that the change is one end of. */
  move?: string;
}

/** Paragraph of a Word file. */
export interface WordParagraph {
  /** First line in the manuscript, for a paragraph that is marked with it. */
  line: number | null;
  /** Position among the cells of its row; null outside of tables. */
  cell: number | null;
  style: string;
  isListItem: boolean;
}

/** Text of one paragraph with the same history and the same marks. The text of a paragraph's end is a line feed. */
export interface Stretch {
  text: string;
  paragraph: WordParagraph;
  inserted: Revision | null;
  deleted: Revision | null;
  /** Formatting that Markdown has: `bold`, `code`, `italic`, `link`, `strike`, sorted. */
  marks: readonly string[];
  /** Address of the web page or mailbox that the words link to. */
  href?: string;
  /** Who changed the formatting, and the marks before. */
  reformatted: { by: Revision; before: readonly string[] } | null;
}

export interface WordComment extends Revision {
  text: string;
  /** Part of the stretches' text that the comment is about, in UTF-16 units. */
  start: number;
  end: number;
  /** Position of the comment that it replies to. */
  parent: number | null;
}

/** A change in a place that is not a part of the manuscript, such as a header. */
export interface OutsideChange extends Revision {
  place: 'header' | 'text_box' | 'table_row' | 'endnote';
  before: string;
  after: string;
}

/** The text of a Word file with everything that people changed in it. */
export interface MarkedText {
  stretches: Stretch[];
  comments: WordComment[];
  outside: OutsideChange[];
}

/** Stands for pictures, formulas and references to notes. */
export const OBJECT = '\uFFFC';
/** Stands for a line break inside a paragraph. */
export const BREAK = '\v';

const OBJECTS = new Set([
  'w:drawing',
  'w:pict',
  'w:object',
  'w:footnoteReference',
  'w:endnoteReference',
  'm:oMath',
]);
const MARKS: Readonly<Record<string, string>> = { 'w:b': 'bold', 'w:i': 'italic', 'w:strike': 'strike' };
const CHANGES = new Set(['w:ins', 'w:del', 'w:moveFrom', 'w:moveTo']);
const INSERTS = new Set(['w:ins', 'w:moveTo']);

/**
 * Reads the text of a Word file with its tracked changes and comments (X9): the body, then the footnotes. The table of
 * contents is not read, because Word writes it.
 *
 * @throws ExtractionError for a damaged or oversized file
 */
export function readMarkedText(bytes: Uint8Array): MarkedText {
  const parts = openDocx(bytes);
  const styles = styleNames(parts.related('styles'));
  const reader = new MarkedReader(styles);
  reader.read(parts.text(parts.main)!, parts.relationships);
  const footnotes = parts.related('footnotes');
  if (footnotes !== null) reader.read(footnotes);
  for (const { type, target } of parts.relationships.values()) {
    const place = type === 'endnotes' ? 'endnote' : /^(?:header|footer)$/.test(type) ? 'header' : null;
    const xml = place && parts.text(target);
    if (xml) reader.outside.push(...outsideChanges(xml, styles, place));
  }
  const comments = readComments(parts.related('comments'), parts.related('commentsExtended'), reader.ranges);
  return { stretches: reader.stretches, comments, outside: reader.outside };
}

/** Returns the names of the styles by their IDs. */
export function styleNames(xml: string | null): Map<string, string> {
  const names = new Map<string, string>();
  let id = '';
  if (xml !== null)
    readXml(xml, {
      open: (name, attributes) => {
        if (name === 'w:style') id = attributes['w:styleId'] ?? '';
        else if (name === 'w:name') names.set(id, attributes['w:val'] ?? id);
      },
      close: () => undefined,
    });
  return names;
}

/** Returns the changes in a part that is not a part of the manuscript, one for each stretch. */
function outsideChanges(
  xml: string,
  styles: Map<string, string>,
  place: OutsideChange['place'],
): OutsideChange[] {
  const reader = new MarkedReader(styles);
  reader.read(xml);
  return reader.stretches.flatMap(({ text, inserted, deleted }) => {
    const by = deleted ?? inserted;
    if (by === null || text.trim() === '') return [];
    return [{ ...by, place, before: deleted ? text : '', after: deleted ? '' : text }];
  });
}

/** Collects the stretches of parts from XML events. */
class MarkedReader {
  readonly stretches: Stretch[] = [];
  readonly outside: OutsideChange[] = [];
  /** Parts of the text that comments are about, by their IDs. */
  readonly ranges = new Map<string, { start: number; end: number }>();
  private length = 0;
  private readonly elements: string[] = [];
  /** Changes around the current run, outermost first. */
  private readonly changes: { element: string; by: Revision }[] = [];
  private paragraph: WordParagraph | null = null;
  private end: Pick<Stretch, 'inserted' | 'deleted'> = { inserted: null, deleted: null };
  private marks = new Set<string>();
  private links: ReadonlyMap<string, Relationship> = new Map();
  private href = '';
  private marksBefore = new Set<string>();
  private reformattedBy: Revision | null = null;
  private readonly cells: number[] = [];
  private readonly moves = { 'w:moveFrom': '', 'w:moveTo': '' };
  /** Depths of elements whose content is not read. */
  private skippedFrom = Infinity;
  private boxFrom = Infinity;
  private structured: number[] = [];

  constructor(private readonly styles: ReadonlyMap<string, string>) {}

  /** @param links what the hyperlinks of the part refer to */
  read(xml: string, links: ReadonlyMap<string, Relationship> = new Map()): void {
    this.links = links;
    readXml(xml, {
      open: (name, attributes) => this.open(name, attributes),
      close: (name) => this.close(name),
      text: (text) => this.text(text),
    });
  }

  private open(name: string, attributes: Attributes): void {
    this.elements.push(name);
    const depth = this.elements.length;
    if (depth > this.skippedFrom) return;
    if (name === 'mc:Fallback') this.skippedFrom = depth;
    else if (name === 'w:txbxContent') this.boxFrom = Math.min(this.boxFrom, depth);
    else if (name === 'w:sdt') this.structured.push(depth);
    else if (name === 'w:docPartGallery' && attributes['w:val'] === 'Table of Contents')
      this.skippedFrom = this.structured.at(-1)!;
    else if (CHANGES.has(name)) this.openChange(name, attributes);
    else if (depth > this.boxFrom) return;
    else if (name === 'w:tr') this.cells.push(-1);
    else if (name === 'w:tc') this.cells[this.cells.length - 1]!++;
    else if (name === 'w:p') this.openParagraph();
    else if (/^w:comment(?:RangeStart|RangeEnd|Reference)$/.test(name)) this.comment(name, attributes);
    else if (/^w:move(?:From|To)RangeStart$/.test(name))
      this.startMove(name.replace('RangeStart', ''), attributes['w:name'] ?? '');
    else if (this.paragraph) this.inside(name, attributes);
  }

  private startMove(element: string, move: string): void {
    this.moves[element as 'w:moveFrom'] = move;
    // The properties of a paragraph, with the change of its end, precede the start of the move.
    const end = this.end[INSERTS.has(element) ? 'inserted' : 'deleted'];
    if (end?.move !== undefined) end.move = move;
  }

  private openChange(name: string, attributes: Attributes): void {
    const move = this.moves[name as 'w:moveFrom'] as string | undefined;
    const by = { ...revisionOf(attributes), ...(move !== undefined && { move }) };
    const parent = this.elements.at(-2);
    if (parent === 'w:rPr' && this.elements.at(-3) === 'w:pPr') {
      if (this.elements.length > this.boxFrom) this.boxText('\n', name, by);
      else this.end[INSERTS.has(name) ? 'inserted' : 'deleted'] = by;
    } else if (parent === 'w:trPr') this.outside.push({ ...by, place: 'table_row', ...rowChange(name) });
    else this.changes.push({ element: name, by });
  }

  private openParagraph(): void {
    this.paragraph = { line: null, cell: this.cells.at(-1) ?? null, style: '', isListItem: false };
    this.end = { inserted: null, deleted: null };
  }

  private inside(name: string, attributes: Attributes): void {
    const value = attributes['w:val'] ?? '';
    const isOld = this.elements.includes('w:rPrChange') || this.elements.includes('w:pPrChange');
    if (name === 'w:r') this.openRun();
    else if (name === 'w:hyperlink') this.href = this.addressOf(attributes['r:id'] ?? '');
    else if (name === 'w:rPrChange') this.reformattedBy = revisionOf(attributes);
    else if (name === 'w:pStyle' && !isOld) this.paragraph!.style = this.styles.get(value) ?? value;
    else if (name === 'w:numId' && !isOld) this.paragraph!.isListItem = value !== '0';
    else if (name === 'w:bookmarkStart') this.mark(attributes['w:name'] ?? '');
    else if (name === 'w:rStyle') this.styled(value, isOld);
    else if (MARKS[name] !== undefined) this.formatted(MARKS[name], isOn(value), isOld);
    else if (name === 'w:tab' && this.isInRun()) this.add('\t');
    else if (name === 'w:cr' || (name === 'w:br' && /^(?:textWrapping)?$/.test(attributes['w:type'] ?? '')))
      this.add(BREAK);
    else if (name === 'w:noBreakHyphen') this.add('\u2011');
    else if (OBJECTS.has(name)) this.add(OBJECT);
  }

  private isInRun = (): boolean => this.elements.at(-2) === 'w:r';

  private openRun(): void {
    this.marks = new Set(this.elements.includes('w:hyperlink') ? ['link'] : []);
    this.marksBefore = new Set(this.marks);
    this.reformattedBy = null;
  }

  private addressOf(id: string): string {
    const { isExternal, target } = this.links.get(id) ?? { isExternal: false, target: '' };
    return isExternal && /^(?:https?|mailto):/i.test(target) ? target : '';
  }

  private mark(name: string): void {
    const line = name.startsWith(PLACE_PREFIX) ? Number(name.slice(PLACE_PREFIX.length)) : NaN;
    if (Number.isSafeInteger(line) && line > 0) this.paragraph!.line ??= line;
  }

  private styled(id: string, isOld: boolean): void {
    if (this.styles.get(id) === 'Verbatim Char') this.formatted('code', true, isOld);
  }

  private formatted(mark: string, isSet: boolean, isOld: boolean): void {
    // The formatting of the end of a paragraph is not that of a run.
    if (this.elements.at(-3) === 'w:pPr') return;
    const marks = isOld ? this.marksBefore : this.marks;
    if (isSet) marks.add(mark);
    else marks.delete(mark);
  }

  private comment(name: string, attributes: Attributes): void {
    const id = attributes['w:id'] ?? '';
    const range = this.ranges.get(id);
    if (name === 'w:commentRangeStart') this.ranges.set(id, { start: this.length, end: this.length });
    else if (name === 'w:commentRangeEnd' && range) range.end = this.length;
    else if (!range) this.ranges.set(id, { start: this.length, end: this.length });
  }

  private text(text: string): void {
    if (this.elements.length >= this.skippedFrom) return;
    const name = this.elements.at(-1);
    if (name !== 'w:t' && name !== 'w:delText') return;
    const change = this.changes.at(-1);
    if (this.elements.length <= this.boxFrom) this.add(text);
    else if (change) this.boxText(text, change.element, change.by);
  }

  private boxText(text: string, element: string, by: Revision): void {
    const isInsert = INSERTS.has(element);
    this.outside.push({
      ...by,
      place: 'text_box',
      before: isInsert ? '' : text,
      after: isInsert ? text : '',
    });
  }

  private add(text: string): void {
    const by = (inserts: boolean) =>
      this.changes.findLast(({ element }) => INSERTS.has(element) === inserts)?.by ?? null;
    this.push(text, { inserted: by(true), deleted: by(false) });
  }

  private push(text: string, change: Pick<Stretch, 'inserted' | 'deleted'>): void {
    const { reformattedBy, paragraph } = this;
    const isEnd = text === '\n';
    this.stretches.push({
      text,
      paragraph: paragraph!,
      ...change,
      marks: isEnd ? [] : [...this.marks].sort(),
      ...(this.href !== '' && !isEnd && { href: this.href }),
      reformatted:
        reformattedBy && !isEnd ? { by: reformattedBy, before: [...this.marksBefore].sort() } : null,
    });
    this.length += text.length;
  }

  private close(name: string): void {
    const depth = this.elements.length;
    this.elements.pop();
    if (depth === this.skippedFrom) this.skippedFrom = Infinity;
    if (depth === this.boxFrom) this.boxFrom = Infinity;
    if (name === 'w:sdt') this.structured.pop();
    if (name === 'w:hyperlink') this.href = '';
    if (depth >= this.skippedFrom) return;
    if (CHANGES.has(name) && this.changes.at(-1)?.element === name && !isProperty(this.elements))
      this.changes.pop();
    if (depth >= this.boxFrom) return;
    if (name === 'w:tr') this.cells.pop();
    else if (name === 'w:p' && this.paragraph) {
      this.push('\n', this.end);
      this.paragraph = null;
    }
  }
}

const isProperty = (elements: readonly string[]): boolean => /^w:(?:rPr|trPr)$/.test(elements.at(-1) ?? '');

const rowChange = (name: string): { before: string; after: string } =>
  INSERTS.has(name) ? { before: '', after: OBJECT } : { before: OBJECT, after: '' };

function revisionOf(attributes: Attributes): Revision {
  return { author: attributes['w:author'] ?? '', date: attributes['w:date'] ?? null };
}

/** Reads the comments with a place in the text, in the order of their IDs in the file. */
function readComments(
  xml: string | null,
  extended: string | null,
  ranges: ReadonlyMap<string, { start: number; end: number }>,
): WordComment[] {
  if (xml === null) return [];
  const threads = readThreads(extended);
  const comments: (WordComment & { paragraphs: string[] })[] = [];
  const elements: string[] = [];
  readXml(xml, {
    open: (name, attributes) => {
      elements.push(name);
      const last = comments.at(-1);
      if (name === 'w:comment') {
        const { start, end } = ranges.get(attributes['w:id'] ?? '') ?? { start: 0, end: 0 };
        const revision = revisionOf(attributes);
        comments.push({ ...revision, text: '', start, end, parent: null, paragraphs: [] });
      } else if (name === 'w:p' && last) {
        if (last.text !== '') last.text += '\n';
        last.paragraphs.push(attributes['w14:paraId'] ?? '');
      }
    },
    text: (text) => {
      if (elements.at(-1) === 'w:t') comments.at(-1)!.text += text;
    },
    close: () => void elements.pop(),
  });
  return comments.map(({ paragraphs, ...comment }) => {
    const replied = threads.get(paragraphs.at(-1) ?? '');
    const parent = comments.findIndex((other) => replied && other.paragraphs.includes(replied));
    return { ...comment, parent: parent < 0 ? null : parent };
  });
}

/** Reads which comment replies to which, by the IDs of their last paragraphs. */
function readThreads(xml: string | null): Map<string, string> {
  const threads = new Map<string, string>();
  if (xml !== null)
    readXml(xml, {
      open: (name, attributes) => {
        if (name === 'w15:commentEx')
          threads.set(attributes['w15:paraId'] ?? '', attributes['w15:paraIdParent'] ?? '');
      },
      close: () => undefined,
    });
  return threads;
}
