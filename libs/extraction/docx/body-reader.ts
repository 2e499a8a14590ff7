import { hasDigit, hasSpace, withoutSpaces } from '#contracts/text.js';
import { posix } from 'node:path';
import { escapeInline, escapeLineStart } from '#markdown/escape.js';
import { fieldWords, linkAddress } from '../field-words.js';
import { imageMarkdown, isWebAddress, withBreaks } from '../inline-text.js';
import { contentsMark, leftOutMark } from '../left-out.js';
import { ListLevels, markerOf } from '../list-levels.js';
import type { Label, Numbering } from '../numbering.js';
import { chartWords } from '../ooxml/chart.js';
import { descriptionOf, diagramWords } from '../ooxml/shape-reader.js';
import { isSymbol, wordSymbol } from '../symbols.js';
import { innerRow, tableLines } from '../table.js';
import { type Attributes, isOn, readXml } from '../xml.js';
import { FormulaReader } from './formula.js';
import { lookOf, type RunLook, shownText, type WordStyle, type WordStyles } from './styles.js';
import { StyledText, type RunStyle } from '../styled-text.js';
import type { PackageMedia } from '../ooxml/media.js';
import type { OfficePackage, Relationship } from '../ooxml/package.js';
import type { BoundValues } from './bound-values.js';

/** State that the readers of a Word file's parts share. */
export interface WordContext {
  numbering: Numbering;
  styles: WordStyles;
  media: PackageMedia;
  boundValues: BoundValues;
  parts: OfficePackage;
  relationships: ReadonlyMap<string, Relationship>;
  /** Words of the comments by ID. Readers remove the comments that they report. */
  comments: Map<string, string>;
  /** Labels of the notes that the text refers to, by kind and ID; readers add to it. */
  noteLabels: Map<string, string>;
}

/** Longest text that is read as an exponent or index if it is moved up or down by hand. */
const LONGEST_MOVED = 8;

/** A paragraph of a Word file while it is being read. */
class WordParagraph extends StyledText {
  /** ID of its style; null if it names none. */
  styleId: string | null = null;
  numId: string | null = null;
  isDropCap = false;
  /** Whether its words are outside of the paragraphs of the file. */
  isImplicit = false;
  /** Comments about omitted words, which follow the paragraph. */
  readonly marks: string[] = [];
  /** Paragraphs of text boxes, which follow this one. */
  readonly boxes: string[][] = [];
  private ownHeading: number | null = null;
  private ownLevel: number | null = null;
  /** Words that readers do not see, by the kind of part. */
  private readonly omitted = new Map<string, string>();
  private ownLook: RunLook = {};
  private look: RunLook | null = null;

  /** @param style style of paragraphs that name none */
  constructor(private style: WordStyle | null) {
    super();
  }

  get isContents(): boolean {
    return this.style?.isContents ?? false;
  }

  get isTitle(): boolean {
    return this.style?.isTitle ?? false;
  }

  get heading(): number {
    return this.ownHeading ?? this.style?.heading ?? 0;
  }

  /** Level in its list; 0 is the outermost. Null if neither the paragraph nor its style sets one. */
  get level(): number | null {
    return this.ownLevel ?? this.style?.level ?? null;
  }

  /** ID of its list; null for none. */
  get list(): string | null {
    const list = this.numId ?? this.style?.numId ?? null;
    return list === '0' ? null : list;
  }

  setStyle(id: string, style: WordStyle): void {
    this.styleId = id;
    this.style = style;
    this.look = null;
  }

  beginRun(): void {
    this.ownLook = {};
    this.look = null;
  }

  /** Applies a property of the paragraph or of its current run; false for an unknown one. */
  setProperty(name: string, attributes: Attributes): boolean {
    const value = attributes['w:val'] ?? '';
    if (name === 'w:outlineLvl') this.ownHeading = Number(value) < 9 ? Number(value) + 1 : 0;
    else if (name === 'w:ilvl') this.ownLevel = Math.min(8, Number(value) || 0);
    else if (name === 'w:numId') this.numId = value;
    else {
      const look = lookOf(name, attributes);
      if (look === null) return false;
      Object.assign(this.ownLook, look);
      this.look = null;
    }
    return true;
  }

  /** Applies the style of the current run. The properties of the run itself take precedence. */
  setRunStyle({ look }: WordStyle): void {
    this.ownLook = { ...look, ...this.ownLook };
    this.look = null;
  }

  /** Adds words of the current run as Word shows them. */
  show(text: string): void {
    const look = (this.look ??= { ...this.style?.look, ...this.ownLook });
    const shown = shownText(text, look.font);
    if (look.isHidden) this.omit('hidden text', shown);
    else {
      this.runStyle = runStyleOf(look, shown);
      this.words(shown);
    }
  }

  /** Collects words that the text omits. @param what kind of part, such as `deleted text` */
  omit(what: string, words: string): void {
    this.omitted.set(what, (this.omitted.get(what) ?? '') + words);
  }

  /** Adds comments about the omitted words. */
  markOmitted(): void {
    for (const [what, words] of this.omitted)
      if (words.trim() !== '') this.marks.push(leftOutMark(what, words));
  }
}

function runStyleOf({ shift = 'plain', isStruck, isMovedUp }: RunLook, text: string): RunStyle {
  if (shift !== 'plain') return shift;
  if (isStruck) return 'struck';
  const isMoved =
    typeof isMovedUp === 'boolean' && text.length <= LONGEST_MOVED && hasDigit(text) && !hasSpace(text);
  return !isMoved ? 'plain' : isMovedUp ? 'raised' : 'lowered';
}

/** Elements with content that is deleted, moved elsewhere, or repeated in another form. */
const SKIPPED = new Set(['w:del', 'w:moveFrom', 'mc:Fallback']);
/** Former properties of tracked changes, such as `w:pPrChange`. */
const FORMER = /^w:\w+PrChange$|^w:numberingChange$/;
const TEXTS = new Set(['w:t', 'w:delText', 'w:instrText']);
const DRAWINGS = new Set(['wp:inline', 'wp:anchor', 'w:pict', 'w:object']);

/** Reads the paragraphs, lists and tables of a part of a Word file as lines of Markdown. */
export class BodyReader {
  readonly blocks: string[] = [];
  /** Included files (`w:altChunk`): their path, and the line before which their text belongs. */
  readonly chunks: { at: number; path: string }[] = [];
  /** Headers and footers, in the order of their sections. */
  readonly pageParts: { what: 'header' | 'footer'; id: string }[] = [];
  private readonly lists = new ListLevels();
  /** Open paragraphs: one in a text box is within another. */
  private readonly paragraphs: WordParagraph[] = [];
  private readonly table = new TableReader();
  /** Number of paragraphs around the outermost table, which may be in a text box. */
  private aroundTable = 0;
  /** Tables that are frames, by their number in the part, and whether each open table is one. */
  private frames = new Set<number>();
  private tables = 0;
  private readonly openFrames: boolean[] = [];
  private readonly formula = new FormulaReader();
  private readonly fields = new FormFields({
    show: (text) => this.words(text),
    beginLink: () => this.paragraph.beginPart(),
    endLink: (address) => this.paragraph.endLink(address),
  });
  /** Addresses of the open links. */
  private readonly links: string[] = [];
  /** Alternative text of the current drawing. */
  private alt = '';
  private skip = 0;
  private former = 0;
  private deleting = 0;
  private inRowProperties = false;
  /** Element that contains the text being read: `w:t`, or an element that Word does not show. Empty between elements. */
  private textIn = '';
  private rubyReading = '';
  private dropCap = '';
  /** 1 if the document begins with its title, otherwise 0; null before its first heading. */
  private levelsAbove: number | null = null;
  private afterList = false;
  private lastNumber = 0;
  /** Open content controls. */
  private readonly controls: ContentControl[] = [];
  /** Depth of the content control with the table of contents; 0 outside of it. */
  private contentsControl = 0;
  /** Number of table-of-contents lines omitted so far, as stated in the last block. */
  private contentsLines = 0;

  constructor(private readonly context: WordContext) {}

  /** @param onElement called at the end of each element */
  read(xml: string, onElement?: (name: string, attributes: Attributes) => void): void {
    const open: Attributes[] = [];
    this.frames = framesIn(xml);
    this.tables = 0;
    readXml(xml, {
      open: (name, attributes) => {
        open.push(attributes);
        this.open(name, attributes);
      },
      text: (text) => this.text(text),
      close: (name) => {
        this.close(name);
        onElement?.(name, open.pop()!);
      },
    });
    while (this.paragraphs.length > 0) this.endParagraph();
  }

  /** Removes the lines so far and returns them. */
  take(): string[] {
    this.afterList = false;
    return this.blocks.splice(0);
  }

  /** Innermost open paragraph. Words outside of paragraphs get an implicit one. */
  private get paragraph(): WordParagraph {
    if (this.paragraphs.length === 0) {
      this.paragraphs.push(this.newParagraph());
      this.paragraphs[0]!.isImplicit = true;
    }
    return this.paragraphs.at(-1)!;
  }

  private open(name: string, attributes: Attributes): void {
    if (this.formula.isReading || name === 'm:oMath') return this.formula.begin(name, attributes);
    if (SKIPPED.has(name)) this.skip++;
    if (name === 'w:trPr') this.inRowProperties = true;
    if (name === 'w:cellDel' || (name === 'w:del' && this.inRowProperties)) this.deletePart(name);
    if (name === 'w:del') this.deleting++;
    else if (FORMER.test(name)) this.former++;
    else if (this.former > 0) return;
    else if (TEXTS.has(name)) this.textIn = name;
    else if (name === 'w:p') this.beginParagraph();
    else if (name === 'w:r') this.paragraph.beginRun();
    else if (name === 'w:tab' || name === 'w:ptab') this.words('\t');
    else if (name === 'w:br' || name === 'w:cr') this.lineBreak(attributes);
    else if (name === 'w:noBreakHyphen') this.words('\u2011');
    else if (isSymbol(name)) this.words(wordSymbol(name, attributes));
    else if (name === 'w:rt') this.paragraph.beginPart();
    else if (name === 'w:hyperlink') this.beginLink(attributes);
    else if (name === 'wp:docPr') this.alt = descriptionOf(attributes);
    else if (/^(?:pic|wps|wpg):cNvPr$/.test(name)) this.describe(attributes);
    else if (name === 'v:shape' && this.alt === '') this.alt = attributes['alt'] ?? '';
    else if (name === 'v:textpath') this.words(` ${attributes['string'] ?? ''} `);
    else if (/^w:tbl(?:Caption|Description)$/.test(name)) this.table.describe(attributes['w:val'] ?? '');
    else if (name === 'a:blip') this.image(attributes['r:embed'] ?? attributes['r:link'] ?? '');
    else if (name === 'c:chart' || name === 'cx:chart') this.drawing('chart', attributes['r:id'] ?? '');
    else if (name === 'dgm:relIds') this.drawing('diagram', attributes['r:dm'] ?? '');
    else if (name === 'v:imagedata') this.image(attributes['r:id'] ?? '');
    else if (name === 'w:tbl') this.beginTable();
    else if (name === 'w:tr') {
      if (!this.openFrames.at(-1)) this.table.beginRow();
    } else if (name === 'w:sdt') this.controls.push({ binding: null, isText: false, value: null, copy: '' });
    else if (name === 'w:sdtContent') this.beginContent();
    else if (!this.reference(name, attributes)) this.property(name, attributes);
  }

  private close(name: string): void {
    if (this.formula.isReading) return this.endFormula();
    if (SKIPPED.has(name)) this.skip--;
    if (name === 'w:del') this.deleting--;
    else if (FORMER.test(name)) this.former--;
    else if (name === 'w:trPr') this.inRowProperties = false;
    else if (TEXTS.has(name)) this.textIn = '';
    else if (name === 'w:p') this.endParagraph();
    // The reading of ruby text precedes its base in the file.
    else if (name === 'w:rt') this.rubyReading = this.paragraph.endRemoved();
    else if (name === 'w:rubyBase') this.words(this.rubyReading === '' ? '' : `(${this.rubyReading})`);
    else if (name === 'w:hyperlink') this.paragraph.endLink(this.links.pop() ?? '');
    else if (name === 'w:sdt') this.endControl();
    else if (DRAWINGS.has(name)) this.endDrawing();
    else if (name === 'w:tbl') {
      if (!this.openFrames.pop()) this.endTable();
    } else if (/^w:t[cr]$/.test(name)) {
      if (!this.openFrames.at(-1)) this.endPart(name === 'w:tc' ? this.table.endCell() : this.table.endRow());
    } else this.fields.close(name);
  }

  private text(text: string): void {
    if (this.formula.isReading) this.formula.words(text);
    else if (this.textIn === '') return;
    else if (this.textIn === 'w:instrText') this.fields.addInstruction(text);
    else if (this.deleting > 0) this.paragraph.omit('deleted text', text);
    else if (this.fields.isCondition) this.paragraph.omit('condition of a field', text);
    else {
      this.fields.addWords();
      this.words(text);
    }
  }

  private words(text: string): void {
    if (this.skip > 0 || text === '') return;
    const control = this.controls.at(-1);
    if (!control || control.value === null) return this.paragraph.show(text);
    const isFirst = control.copy.trim() === '' && text.trim() !== '';
    control.copy += text;
    if (isFirst) this.paragraph.show(control.value);
  }

  /** Ends the implicit paragraph that words outside of paragraphs have, such as a formula. */
  private endImplicit(): void {
    if (this.paragraphs.at(-1)?.isImplicit) this.endParagraph();
  }

  private beginParagraph(): void {
    this.endImplicit();
    this.paragraphs.push(this.newParagraph());
  }

  private newParagraph(): WordParagraph {
    return new WordParagraph(this.context.styles.ofPlainParagraphs);
  }

  /** Leaves out a row or cell that tracked changes delete, up to its end. */
  private deletePart(name: string): void {
    if (this.former > 0 || !this.table.delete(name === 'w:cellDel' ? 'cell' : 'row')) return;
    this.skip++;
    this.deleting++;
  }

  private endPart(isDeleted: boolean): void {
    if (!isDeleted) return;
    this.skip--;
    this.deleting--;
  }

  private beginTable(): void {
    this.endImplicit();
    const isFrame = this.frames.has(this.tables++) && !this.table.isReading;
    this.openFrames.push(isFrame);
    if (isFrame) return;
    if (!this.table.isReading) this.aroundTable = this.paragraphs.length;
    this.table.begin();
  }

  /** Adds a description of the drawing. A picture mostly repeats its frame's. */
  private describe(attributes: Attributes): void {
    const words = descriptionOf(attributes);
    if (!this.alt.includes(words)) this.alt = `${this.alt} ${words}`.trim();
  }

  /** Reports the description of a drawing that does not show a picture. */
  private endDrawing(): void {
    if (this.alt !== '' && this.deleting > 0) this.paragraph.omit('deleted text', ` ${this.alt} `);
    else if (this.alt.trim() !== '' && this.skip === 0)
      this.paragraph.marks.push(leftOutMark('alternative text', this.alt));
    this.alt = '';
  }

  private endFormula(): void {
    const formula = this.formula.end();
    if (formula && this.deleting > 0) this.paragraph.omit('deleted text', formula.plain);
    else if (formula && this.skip === 0) this.paragraph.formula(formula);
  }

  /** Adds a line break. A break of pages or columns only separates words. */
  private lineBreak(attributes: Attributes): void {
    this.words((attributes['w:type'] ?? 'textWrapping') === 'textWrapping' ? '\n' : ' ');
  }

  private beginLink(attributes: Attributes): void {
    const relationship = this.context.relationships.get(attributes['r:id'] ?? '');
    const address = relationship?.isExternal ? relationship.target : '';
    const place = attributes['w:anchor'] ?? '';
    this.links.push(
      address !== '' && place !== '' && !address.includes('#') ? `${address}#${place}` : address,
    );
    this.paragraph.beginPart();
  }

  private image(id: string): void {
    const relationship = this.context.relationships.get(id);
    if (this.skip > 0 || relationship === undefined) return;
    const name = relationship.isExternal ? relationship.target : this.context.media.name(relationship);
    if (name === null) return;
    if (relationship.isExternal && !isWebAddress(name)) return this.paragraph.omit('linked picture', name);
    this.paragraph.markdown(imageMarkdown(name, this.alt));
    this.alt = '';
  }

  /** Reports the words of a chart or diagram, which are stored in a separate part. */
  private drawing(what: 'chart' | 'diagram', id: string): void {
    const { parts, relationships } = this.context;
    const path = relationships.get(id)?.target ?? '';
    const words = what === 'chart' ? chartWords(parts, path) : diagramWords(parts.text(path) ?? '<none/>');
    if (words !== null && words.length > 0 && this.skip === 0)
      this.paragraph.marks.push(leftOutMark(what, words.join('; ')));
  }

  /** Reads a reference to another part of the file; false for any other element. */
  private reference(name: string, attributes: Attributes): boolean {
    const id = attributes['w:id'] ?? attributes['r:id'] ?? '';
    if (name === 'w:footnoteReference') this.note('footnote', id);
    else if (name === 'w:endnoteReference') this.note('endnote', id);
    else if (name === 'w:commentReference') this.comment(id);
    else if (name === 'o:OLEObject') this.embedded(this.context.relationships.get(id)?.target);
    else if (name === 'w:altChunk') this.chunk(this.context.relationships.get(id)?.target);
    else if (name === 'w:headerReference')
      this.pageParts.push({ what: 'header', id: attributes['r:id'] ?? '' });
    else if (name === 'w:footerReference')
      this.pageParts.push({ what: 'footer', id: attributes['r:id'] ?? '' });
    else return false;
    return true;
  }

  private note(kind: 'footnote' | 'endnote', id: string): void {
    if (this.skip > 0) return;
    const { noteLabels } = this.context;
    const key = `${kind} ${id}`;
    const label = noteLabels.get(key) ?? `${kind === 'endnote' ? 'e' : ''}${noteLabels.size + 1}`;
    noteLabels.set(key, label);
    this.paragraph.markdown(`[^${label}]`);
  }

  private comment(id: string): void {
    const { comments } = this.context;
    const words = comments.get(id);
    comments.delete(id);
    if (words?.trim()) this.paragraph.marks.push(leftOutMark('comment', words));
  }

  /** Reports an embedded file. The page shows a picture of it. */
  private embedded(path: string | undefined): void {
    if (path !== undefined) this.paragraph.marks.push(leftOutMark('embedded file', posix.basename(path)));
  }

  private chunk(path: string | undefined): void {
    if (path !== undefined) this.chunks.push({ at: this.blocks.length, path });
    this.afterList = false;
  }

  private property(name: string, attributes: Attributes): void {
    const value = attributes['w:val'] ?? '';
    const paragraph = this.paragraphs.at(-1);
    const control = this.controls.at(-1);
    if (name === 'w:docPartGallery' && value === 'Table of Contents')
      this.contentsControl ||= this.controls.length;
    else if (control && name === 'w:dataBinding') control.binding = attributes;
    else if (control && name === 'w:text') control.isText = true;
    else if (paragraph && name === 'w:pStyle') paragraph.setStyle(value, this.context.styles.of(value));
    else if (paragraph && name === 'w:rStyle') paragraph.setRunStyle(this.context.styles.of(value));
    else if (paragraph && name === 'w:framePr')
      paragraph.isDropCap = (attributes['w:dropCap'] ?? 'none') !== 'none';
    else if (!paragraph?.setProperty(name, attributes) && !this.table.setProperty(name, value))
      this.fields.open(name, attributes, value);
  }

  /** Shows the value to which a control for plain text is bound, as Word does, in place of its copy in the text. */
  private beginContent(): void {
    const control = this.controls.at(-1);
    if (control?.isText && control.binding) control.value = this.context.boundValues.valueOf(control.binding);
  }

  private endControl(): void {
    if (this.controls.length === this.contentsControl) this.contentsControl = 0;
    const { value = null, copy = '' } = this.controls.pop() ?? {};
    if (value === null) return;
    if (copy.trim() === '') this.words(value);
    else if (withoutSpaces(copy) !== withoutSpaces(value))
      this.paragraph.omit('outdated text of a form field', copy);
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

  private endParagraph(): void {
    const paragraph = this.paragraphs.pop() ?? this.newParagraph();
    const lines = paragraph.takeLines();
    paragraph.markOmitted();
    const outer = this.paragraphs.at(-1);
    if (this.table.isReading && this.paragraphs.length === this.aroundTable)
      this.cellParagraph(paragraph, lines);
    else if (outer) {
      if (lines.length > 0) outer.boxes.push(lines);
      outer.boxes.push(...paragraph.boxes);
      outer.marks.push(...paragraph.marks);
    } else this.bodyParagraph(paragraph, lines);
  }

  private cellParagraph(paragraph: WordParagraph, lines: string[]): void {
    const label = lines.length > 0 ? this.labelOf(paragraph)?.text : undefined;
    this.table.add((label ? `${escapeInline(label)} ` : '') + lines.join('\n'));
    for (const box of paragraph.boxes) this.table.add(box.join('\n'));
    this.table.marks.push(...paragraph.marks);
  }

  private bodyParagraph(paragraph: WordParagraph, lines: string[]): void {
    if (paragraph.isContents || this.contentsControl > 0) return this.leaveOut(lines);
    if (paragraph.isDropCap) this.dropCap += lines.join('');
    else if (lines.length > 0) {
      this.contentsLines = 0;
      lines[0] = this.dropCap + lines[0]!;
      this.dropCap = '';
      this.write(paragraph, lines);
    }
    for (const box of paragraph.boxes) this.block(withBreaks(box).flatMap((line) => line.split('\n')));
    for (const mark of paragraph.marks) this.block([mark]);
  }

  private labelOf(paragraph: WordParagraph): Label | null {
    const { list } = paragraph;
    return list === null ? null : this.context.numbering.next(list, this.levelOf(paragraph));
  }

  /** Returns the list level of a paragraph. A level of the list may name the style of its paragraphs. */
  private levelOf({ list, level, styleId }: WordParagraph): number {
    return level ?? this.context.numbering.levelOfStyle(list ?? '', styleId ?? '') ?? 0;
  }

  private write(paragraph: WordParagraph, lines: string[]): void {
    const { heading } = paragraph;
    const level = this.levelOf(paragraph);
    const label = this.labelOf(paragraph);
    const typed = label?.text ? `${escapeInline(label.text)} ` : '';
    if (heading > 0) {
      this.levelsAbove ??= Number(paragraph.isTitle);
      const shown = paragraph.isTitle ? 1 : heading + this.levelsAbove;
      return this.block([`${'#'.repeat(Math.min(6, shown))} ${typed}${lines.join(' ')}`]);
    }
    if (label === null) return this.block(withBreaks(lines));
    const marker = markerOf(label, level, this.afterList ? this.lastNumber : null);
    const [first = '', ...rest] = withBreaks(lines);
    if (marker === null) return this.block([escapeLineStart(typed + first), ...rest]);
    const continues = this.afterList;
    this.block([this.lists.prefix(level, marker, continues) + first], continues);
    this.blocks.push(...rest.map((line) => this.lists.indent() + line));
    this.afterList = true;
    if (level === 0) this.lastNumber = label.value;
  }

  private block(lines: string[], tight = false): void {
    if (this.blocks.length > 0 && !tight) this.blocks.push('');
    this.blocks.push(...lines);
    this.afterList = false;
  }

  private endTable(): void {
    const lines = this.table.end();
    const outer = this.paragraphs.at(-1);
    if (outer && !this.table.isReading) {
      if (lines.length > 0) outer.boxes.push([lines.join('\n')]);
      outer.marks.push(...this.table.marks.splice(0));
    } else if (lines.length > 0) {
      this.contentsLines = 0;
      this.block(lines);
    }
    if (!this.table.isReading) for (const mark of this.table.marks.splice(0)) this.block([mark]);
  }
}

/** Returns the numbers of the tables that are frames: their only cell contains a table. */
function framesIn(xml: string): Set<number> {
  const frames = new Set<number>();
  let depth = 0;
  const tags = xml.match(/<\/?(?:\w{1,20}:)?tbl>/g) ?? [];
  if (tags.every((tag) => (depth += tag[1] === '/' ? -1 : 1) < 2)) return frames;
  let count = 0;
  const open: { number: number; cells: number; isFrame: boolean }[] = [];
  let inRow = false;
  readXml(xml, {
    open: (name) => {
      const table = open.at(-1);
      if (name === 'w:tbl') {
        if (table) table.isFrame = true;
        open.push({ number: count++, cells: 0, isFrame: false });
      } else if (name === 'w:trPr') inRow = true;
      else if (table && name === 'w:tc') table.cells++;
      // The words of a deleted frame are named as those of a deleted cell.
      else if (table && (name === 'w:cellDel' || (inRow && name === 'w:del'))) table.cells = 2;
    },
    close: (name) => {
      if (name === 'w:trPr') inRow = false;
      const table = name === 'w:tbl' ? open.pop() : undefined;
      if (table?.isFrame && table.cells === 1) frames.add(table.number);
    },
  });
  return frames;
}

/** A content control, and what it shows. */
interface ContentControl {
  binding: Attributes | null;
  /** Whether it contains plain text only. */
  isText: boolean;
  /** Value of the store to which it is bound; null if the text itself counts. */
  value: string | null;
  /** Copy of the value in the text. */
  copy: string;
}

/** Word's limit of columns. */
const MAX_COLUMNS = 63;

/** A table while it is being read. */
interface OpenTable {
  rows: string[][];
  /** Paragraphs of the cell at hand. */
  cell: string[];
  columns: number;
  isCovered: boolean;
  /** What tracked changes delete: the row or the cell at hand. */
  deleted: Set<'row' | 'cell'>;
}

/**
 * Collects the cells of a table, each in its column, while it is being read. Each row of a table inside a cell is a line of that
 * cell.
 */
class TableReader {
  private readonly open: OpenTable[] = [];
  /** Comments about omitted words, which follow the table. */
  readonly marks: string[] = [];

  get isReading(): boolean {
    return this.open.length > 0;
  }

  begin(): void {
    this.open.push({ rows: [], cell: [], columns: 1, isCovered: false, deleted: new Set() });
  }

  beginRow(): void {
    this.open.at(-1)?.rows.push([]);
  }

  /** Reports a title or description of the table, which is not shown. */
  describe(words: string): void {
    if (words.trim() !== '') this.marks.push(leftOutMark('alternative text', words));
  }

  /** Applies a property of a row or cell; false for an unknown one. */
  setProperty(name: string, value: string): boolean {
    if (!/^w:(?:gridSpan|vMerge|gridBefore)$/.test(name)) return false;
    const table = this.open.at(-1);
    if (table === undefined) return true;
    if (name === 'w:gridSpan') table.columns = Math.max(1, columnsOf(value));
    else if (name === 'w:vMerge') table.isCovered = value !== 'restart';
    else table.rows.at(-1)?.push(...empty(columnsOf(value)));
    return true;
  }

  add(text: string): void {
    if (text !== '') this.open.at(-1)?.cell.push(text.replaceAll('\n', '<br>'));
  }

  /** Marks the row or cell at hand as deleted; false if it is already, or outside of a table. */
  delete(part: 'row' | 'cell'): boolean {
    const deleted = this.open.at(-1)?.deleted;
    if (!deleted || deleted.has(part)) return false;
    deleted.add(part);
    return true;
  }

  /** Ends a cell. The words of a merged cell are in its first place. Returns whether the cell is deleted. */
  endCell(): boolean {
    const table = this.open.at(-1);
    if (table === undefined) return false;
    const { isCovered, cell, columns } = table;
    Object.assign(table, { cell: [], columns: 1, isCovered: false });
    if (table.deleted.delete('cell')) return true;
    table.rows.at(-1)?.push(isCovered ? '' : cell.join('<br>'), ...empty(columns - 1));
    return false;
  }

  /** Ends a row. Returns whether the row is deleted. */
  endRow(): boolean {
    const table = this.open.at(-1);
    if (!table?.deleted.delete('row')) return false;
    table.rows.pop();
    return true;
  }

  /** Ends a table and returns its lines. Returns an empty list for an empty table and for a table in a cell. */
  end(): string[] {
    const rows = this.open.pop()?.rows.filter((row) => row.length > 0) ?? [];
    if (!this.isReading) return rows.length === 0 ? [] : tableLines(rows);
    for (const row of rows) this.add(innerRow(row));
    return [];
  }
}

const columnsOf = (value: string) => Math.min(MAX_COLUMNS, Number(value) || 0);
const empty = (count: number) => new Array<string>(count).fill('');

interface Field {
  instruction: string;
  address: string | null;
  hasResult: boolean;
  /** True if the stored result has words. */
  hasWords: boolean;
}

/** The text in which fields are. */
interface FieldText {
  show(text: string): void;
  beginLink(): void;
  endLink(address: string): void;
}

/** The fields of a Word file: boxes and selections of forms, links, equations and buttons. Other fields show their stored result. */
class FormFields {
  private readonly fields: Field[] = [];
  private box: { isChecked: boolean; isDefault: boolean; isSet: boolean } | null = null;
  private entries: { result: number; values: string[] } | null = null;

  constructor(private readonly text: FieldText) {}

  /** Whether the text at hand is part of the instruction of a field, such as the condition of `IF`. */
  get isCondition(): boolean {
    return this.fields.some(({ hasResult }, index) => !hasResult && index < this.fields.length - 1);
  }

  open(name: string, attributes: Attributes, value: string): void {
    if (name === 'w:fldChar') this.boundary(attributes['w:fldCharType'] ?? '');
    else if (name === 'w:fldSimple') this.beginSimple(attributes['w:instr'] ?? '');
    else if (name === 'w:checkBox') this.box = { isChecked: false, isDefault: false, isSet: false };
    else if (name === 'w:ddList') this.entries = { result: 0, values: [] };
    else if (this.box && name === 'w:default') this.box.isDefault = isOn(value);
    else if (this.box && name === 'w:checked')
      Object.assign(this.box, { isChecked: isOn(value), isSet: true });
    else if (this.entries && (name === 'w:result' || name === 'w:default'))
      this.entries.result = Number(value) || 0;
    else if (this.entries && name === 'w:listEntry') this.entries.values.push(value);
  }

  close(name: string): void {
    if (name === 'w:fldSimple') this.boundary('end');
    else if (name === 'w:checkBox' && this.box) {
      const { isSet, isChecked, isDefault } = this.box;
      this.box = null;
      this.text.show((isSet ? isChecked : isDefault) ? '☒' : '☐');
    } else if (name === 'w:ddList' && this.entries) {
      const { values, result } = this.entries;
      this.entries = null;
      this.text.show(values[result] ?? '');
    }
  }

  /** Called for the words of stored results. */
  addWords(): void {
    const field = this.fields.at(-1);
    if (field?.hasResult) field.hasWords = true;
  }

  addInstruction(text: string): void {
    const field = this.fields.at(-1);
    if (field) field.instruction += text;
  }

  private beginSimple(instruction: string): void {
    this.boundary('begin');
    this.addInstruction(instruction);
    if (fieldWords(instruction) === null) this.boundary('separate');
  }

  private boundary(type: string): void {
    if (type === 'begin')
      this.fields.push({ instruction: '', address: null, hasResult: false, hasWords: false });
    const field = this.fields.at(-1);
    if (type === 'separate' && field) {
      field.hasResult = true;
      field.address = linkAddress(field.instruction);
      if (field.address !== null) this.text.beginLink();
    } else if (type === 'end') {
      const ended = this.fields.pop();
      if (ended && !ended.hasWords) this.text.show(fieldWords(ended.instruction) ?? '');
      if (ended?.address) this.text.endLink(ended.address);
    }
  }
}
