import { hasDigit, hasSpace, splitAtSpaces } from '#contracts/text.js';
import { posix } from 'node:path';
import { WordNumbers } from '../list-numbers.js';
import { type Piece, type PieceList, withShifted } from '../piece.js';
import { type Attributes, isOn, walkXml } from '../xml.js';
import { listChart, listDrawing } from './drawing-text.js';
import { OfficePackage } from './package.js';
import { isFormulaPart, symbolCharacter } from './symbols.js';

/** Stores of the properties of a file, by the end of the path of their part. */
const PROPERTIES: [RegExp, string][] = [
  [/\bcore\.xml$/, '{6C3C8BC8-F283-45AE-878A-BAB7291924A1}'],
  [/\bapp\.xml$/, '{6668398D-A668-4E3E-A5EB-62B293D839F1}'],
];

/** Elements in more others have no path. */
const DEEPEST = 50;

/** Values to which the content controls of a Word file are bound. */
class Stores {
  /** Texts of the elements of each store, by its ID in capitals and by their path without prefixes. */
  private readonly values = new Map<string, Map<string, string>>();

  constructor(parts: OfficePackage) {
    for (const { path, root } of parts.shownParts()) {
      const property = PROPERTIES.find(([pattern]) => pattern.test(path))?.[1];
      if (property !== undefined) this.values.set(property, textsOf(parts.text(path)));
      if (root !== 'datastoreItem') continue;
      walkXml(parts.text(path), {
        open: (_, { itemID }) => {
          if (itemID === undefined) return;
          const item = posix.join(posix.dirname(path), posix.basename(path).replace('Props', ''));
          this.values.set(itemID.toUpperCase(), textsOf(parts.text(item)));
        },
        close: () => undefined,
      });
    }
  }

  /** Returns the value of a `dataBinding`; null if it names none. */
  valueOf({ storeItemID = '', xpath = '' }: Attributes): string | null {
    const path = xpath
      .split('/')
      .map((step) => (step === '' || step.endsWith(']') ? step : `${step}[1]`).replace(/^.*:/, ''))
      .join('/');
    const value = this.values.get(storeItemID.toUpperCase())?.get(path) ?? '';
    return value.trim() === '' ? null : value;
  }
}

/** Returns the text of each element by its path, such as `/lease[1]/fee[2]`. */
function textsOf(xml: string): Map<string, string> {
  const texts = new Map<string, string>();
  const counts = new Map<string, number>();
  const open: string[] = [];
  walkXml(xml, {
    open: (name) => {
      const path = `${open.at(-1) ?? ''}/${name}`;
      const count = (counts.get(path) ?? 0) + 1;
      counts.set(path, count);
      open.push(open.length < DEEPEST ? `${path}[${count}]` : '');
    },
    text: (text) => {
      for (const path of open) texts.set(path, (texts.get(path) ?? '') + text);
    },
    close: () => void open.pop(),
  });
  return texts;
}

/** Lists the pieces of a file that another file includes; its places begin with `prefix`. */
type ListIncluded = (bytes: Uint8Array, name: string, prefix: string) => Promise<void>;

/** Root elements of the parts that show text, by their kind. */
const PARTS: Record<string, string> = {
  document: '',
  hdr: 'header',
  ftr: 'footer',
  footnotes: 'footnotes',
  endnotes: 'endnotes',
  comments: 'comments',
};

/**
 * Lists the pieces of a Word file: paragraphs and cells of the document, headers, footers, notes, comments, text boxes, charts, diagrams,
 * form fields, symbols, formulas, included files, the names of embedded files, deleted text, decimal numbers of lists and headings.
 *
 * @throws InventoryError for a damaged or oversized file
 */
export async function listWord(bytes: Uint8Array, list: PieceList, included: ListIncluded): Promise<void> {
  const parts = new OfficePackage(bytes);
  const styles = new StyleSheet();
  const stores = new Stores(parts);
  const numbers = new WordNumbers();
  const files: { path: string; kind: string; id: string }[] = [];
  const counts = new Map<string, number>();
  const seen = new Set<string>();
  const shown = parts.shownParts();
  for (const { path } of shown.filter(({ root }) => root === 'styles')) styles.read(parts.text(path));
  for (const { path } of shown.filter(({ root }) => root === 'numbering')) numbers.read(parts.text(path));
  for (const { path, root } of shown) {
    const kind = PARTS[root];
    const number = (counts.get(root) ?? 0) + 1;
    counts.set(root, number);
    if (root === 'chartSpace') listChart(parts.text(path), list, `chart ${number}`);
    else if (root === 'userShapes') listDrawing(parts.text(path), list, `chart shapes ${number}`);
    else if (root === 'dataModel') listDrawing(parts.text(path), list, `diagram ${number}`);
    if (kind === undefined) continue;
    const from = list.pieces.length;
    listWordPart(parts.text(path), list, {
      part: kind === '' ? '' : `${kind} ${number}`,
      styles,
      stores,
      numbers,
      onFile: (what, id) => files.push({ path, kind: what, id }),
    });
    if (kind === 'header' || kind === 'footer') markRepeated(list.pieces, from, kind, seen);
  }
  for (const { path, kind, id } of files) {
    const reference = parts.references(path).get(id);
    const content = reference && parts.bytes(reference.target);
    const name = posix.basename(reference?.target ?? id);
    if (kind === 'included' && content) await included(content, name, `included file ${name}`);
    else list.add({ place: 'embedded file', text: name });
  }
}

/** Marks pieces of a header or footer with the same words as in another section. */
function markRepeated(pieces: Piece[], from: number, kind: string, seen: Set<string>): void {
  const own = pieces.slice(from);
  const key = `${kind}: ${own.map(({ text }) => text.trim()).join('\n')}`;
  if (seen.has(key)) for (const piece of own) piece.again = `the same ${kind} as in another section`;
  seen.add(key);
}

/** Describes a part of a Word file and the meaning of its references. */
interface WordPartOptions {
  /** Name of the part in words for people, such as `header 1`; empty for the document itself. */
  part: string;
  styles: StyleSheet;
  stores: Stores;
  numbers: WordNumbers;
  /** Called for an included or embedded file with the ID of its relationship. */
  onFile: (kind: 'included' | 'embedded', id: string) => void;
}

interface Paragraph {
  text: string;
  deleted: string;
  isContents: boolean;
  /** Properties that its style gives to it and its runs. */
  style: StyleProperties;
  styleId: string;
  /** Its own list and level in place of those of its style. */
  own: ListPlace;
  /** Properties and text of the run at hand; null outside of runs. */
  run: { own: RunProperties; style: RunProperties; text: string } | null;
}

interface Control {
  binding: Attributes | null;
  isText: boolean;
  value: string | null;
  text: string;
}

/** Form field that shows a choice: a box or a list. */
interface Choice {
  kind: 'checkBox' | 'ddList';
  value: string | null;
  preset: string | null;
  entries: string[];
}

/** Lists the pieces of one part of a Word file: a piece for each paragraph, and one for its deleted text. */
function listWordPart(xml: string, list: PieceList, options: WordPartOptions): void {
  const reader = new WordPartReader(list, options);
  walkXml(xml, {
    open: (name, attributes, fullName) => reader.open(name, attributes, fullName),
    text: (text) => reader.text(text),
    close: (name) => reader.close(name),
  });
  reader.end();
}

const NOTES = new Set(['footnote', 'endnote', 'comment']);
const TEXTS = new Set(['t', 'delText', 'instrText']);
/** Fields that show words of their instruction. */
const SHOWN_FIELD = /^\s*(?:EQ\b|MACROBUTTON\s+\S{1,200})([^]*)$/;
const BLANKS = new Set(['tab', 'br', 'cr', 'ptab']);

class WordPartReader {
  private readonly paragraphs: Paragraph[] = [];
  /** Choices of alternative content: whether the preferred form has text. */
  private readonly choices: { hasText: boolean; isFallback: boolean }[] = [];
  private readonly counts = new Map<string, number>();
  private textIn = '';
  private deleting = 0;
  private moving = 0;
  private former = 0;
  /** Texts before the open raised and lowered parts of formulas. */
  private readonly scripts: { paragraph: Paragraph; before: string }[] = [];
  /** Open content controls: their binding, the value that is shown in place of their text, and that text. */
  private readonly controls: Control[] = [];
  private contentsControl = 0;
  private choice: Choice | null = null;
  private readonly instructions: string[] = [];
  private description = '';
  private note = '';
  private skipsNote = false;
  private inRowProperties = false;
  private readonly rows: { row: number; cell: number; table: number; deleted: Set<'tc' | 'tr'> }[] = [];

  constructor(
    private readonly list: PieceList,
    private readonly options: WordPartOptions,
  ) {}

  open(name: string, attributes: Attributes, fullName: string): void {
    if (/PrChange$|^numberingChange$/.test(name)) this.former++;
    if (this.former > 0) return;
    if (name === 'trPr') this.inRowProperties = true;
    if (name === 'cellDel' || (name === 'del' && this.inRowProperties)) this.deletePart(name);
    else if (TEXTS.has(name)) this.textIn = name;
    else if (name === 'p') this.paragraphs.push(this.newParagraph());
    else if (BLANKS.has(name) && this.textIn === '') this.words(' ');
    else if (name === 'r') this.beginRun();
    else if (name === 'del') this.deleting++;
    else if (name === 'moveFrom') this.moving++;
    else if (name === 'sym' || name === 'symEx')
      this.words(symbolCharacter(attributes['font'] ?? '', attributes['char'] ?? ''));
    else if (name === 'noBreakHyphen') this.words('-');
    else if (name === 'rt') this.words(' ');
    else if (name === 'AlternateContent') this.choices.push({ hasText: false, isFallback: false });
    else if (name === 'Fallback') this.setFallback(true);
    else if (isFormulaPart(name)) this.beginFormulaPart(name);
    else if (NOTES.has(name)) this.beginNote(name, attributes);
    else if (name === 'tbl' || name === 'tr' || name === 'tc') this.enter(name);
    else if (name === 'altChunk') this.options.onFile('included', attributes['id'] ?? '');
    else if (name === 'OLEObject') this.options.onFile('embedded', attributes['id'] ?? '');
    else if (name === 'sdt') this.controls.push({ binding: null, isText: false, value: null, text: '' });
    else if (name === 'sdtContent') this.beginContent();
    else if (name === 'fldChar') this.field(attributes['fldCharType'] ?? '');
    else if (name === 'textpath') this.words(` ${attributes['string'] ?? ''} `);
    else if (name === 'docPr' || name === 'cNvPr') this.describe(attributes);
    else if (name === 'shape') this.describe({ descr: attributes['alt'] ?? '' });
    else if (name === 'tblCaption' || name === 'tblDescription')
      this.describe({ descr: attributes['val'] ?? '' });
    else if (name === 'chart' || name === 'relIds') this.hasChoice();
    else this.property(name, attributes, fullName);
  }

  text(text: string): void {
    if (this.textIn === '' || this.former > 0) return;
    if (this.textIn === 'instrText') {
      if (this.instructions.length > 0) this.instructions.push(this.instructions.pop()! + text);
    } else if (this.textIn === 'delText' || this.deleting > 0) this.paragraph().deleted += text;
    else this.words(text);
  }

  close(name: string): void {
    if (/PrChange$|^numberingChange$/.test(name)) this.former--;
    else if (this.former > 0) return;
    else if (TEXTS.has(name)) this.textIn = '';
    else if (name === 'r') this.endRun();
    else if (name === 'p') this.endParagraph();
    else if (name === 'trPr') this.inRowProperties = false;
    else if (name === 'del' && !this.inRowProperties) this.deleting--;
    else if (name === 'moveFrom') this.moving--;
    else if (name === 'rt') this.words(' ');
    else if (name === 'AlternateContent') this.choices.pop();
    else if (name === 'Fallback') this.setFallback(false);
    else if (isFormulaPart(name)) this.endFormulaPart(name);
    else if (NOTES.has(name)) this.skipsNote = false;
    else if (name === 'tc' || name === 'tr') this.endPart(name);
    else if (name === 'tbl') this.rows.pop();
    else if (name === 'checkBox' || name === 'ddList') this.endChoice();
    else if (name === 'sdt') this.endControl();
  }

  /** Lists the pieces that are still open at the end of a damaged part. */
  end(): void {
    while (this.paragraphs.length > 0) this.endParagraph();
  }

  /** Innermost open paragraph, or an implicit one: formulas and damaged parts have text outside of paragraphs. */
  private paragraph(): Paragraph {
    if (this.paragraphs.length === 0) this.paragraphs.push(this.newParagraph());
    return this.paragraphs.at(-1)!;
  }

  private words(text: string): void {
    const choice = this.choices.at(-1);
    if (choice?.isFallback && choice.hasText) return;
    if (this.moving > 0) return;
    if (choice && !choice.isFallback && text.trim() !== '') this.hasChoice();
    const control = this.controls.at(-1);
    if (control && control.value !== null) {
      const isBegun = control.text.trim() !== '';
      control.text += text;
      if (isBegun || text.trim() === '') return;
      text = control.value;
    }
    const paragraph = this.paragraph();
    if (paragraph.run === null) paragraph.text += text;
    else paragraph.run.text += text;
  }

  private newParagraph(): Paragraph {
    return {
      text: '',
      deleted: '',
      isContents: false,
      style: this.options.styles.propertiesOf(null),
      styleId: '',
      own: {},
      run: null,
    };
  }

  /** Records that the preferred form of alternative content has text, so that the fallback is skipped. */
  private hasChoice(): void {
    if (this.choices.at(-1)?.isFallback === false) for (const each of this.choices) each.hasText = true;
  }

  private field(type: string): void {
    if (type === 'begin') this.instructions.push('');
    else if (this.instructions.length > 0) {
      const shown = SHOWN_FIELD.exec(this.instructions.at(-1)!)?.[1];
      if (shown !== undefined) this.words(` ${shown.replace(/\\[*a-z]{1,3}(?: ?\d{1,4})?/g, ' ')} `);
      this.instructions[this.instructions.length - 1] = '';
    }
    if (type === 'end') this.instructions.pop();
  }

  /** Lists the title and description of a drawing. A picture may repeat its frame's. */
  private describe({ title = '', descr = '' }: Attributes): void {
    const text = title === descr ? descr : `${title} ${descr}`.trim();
    if (this.choices.at(-1)?.isFallback || text === '') return;
    const { part } = this.options;
    const place = `${part === '' ? '' : `${part}, `}alternative text ${this.count('alternative text')}`;
    this.list.add({
      place,
      text,
      ...(text === this.description ? { again: 'it repeats the text of its frame' } : {}),
    });
    this.description = text;
  }

  private setFallback(isFallback: boolean): void {
    const choice = this.choices.at(-1);
    if (choice) choice.isFallback = isFallback;
  }

  private beginFormulaPart(name: string): void {
    if (this.textIn === '') this.words(' ');
    if (name !== 'sup' && name !== 'sub') return;
    const paragraph = this.paragraph();
    this.scripts.push({ paragraph, before: paragraph.text });
    paragraph.text = '';
  }

  private endFormulaPart(name: string): void {
    const script = name === 'sup' || name === 'sub' ? this.scripts.pop() : undefined;
    if (!script) return;
    const { paragraph, before } = script;
    paragraph.text = withShifted(before, paragraph.text, name === 'sup' ? '^' : '_');
  }

  private beginRun(): void {
    this.endRun();
    this.paragraph().run = { own: {}, style: {}, text: '' };
  }

  private endRun(): void {
    const paragraph = this.paragraph();
    const { run } = paragraph;
    paragraph.run = null;
    if (run === null) return;
    const properties = { ...paragraph.style, ...run.style, ...run.own };
    const text = inFont(run.text, properties.font);
    const shift = shiftOf(properties, text);
    paragraph.text = withShifted(paragraph.text, text, shift);
  }

  private setStyle(id: string): void {
    const paragraph = this.paragraph();
    paragraph.isContents ||= this.options.styles.contents.has(id);
    paragraph.style = this.options.styles.propertiesOf(id);
    paragraph.styleId = id;
  }

  private property(name: string, attributes: Attributes, fullName: string): void {
    const value = attributes['val'];
    const run = this.paragraphs.at(-1)?.run;
    if (run && setRunProperty(run.own, name, attributes)) return;
    if (setListPlace(this.paragraphs.at(-1)?.own ?? {}, name, value)) return;
    if (run && name === 'rStyle') run.style = this.options.styles.propertiesOf(value ?? '');
    else if (name === 'pStyle') this.setStyle(value ?? '');
    else if (name === 'docPartGallery' && value === 'Table of Contents')
      this.contentsControl ||= this.controls.length;
    else if (name === 'dataBinding') Object.assign(this.controls.at(-1) ?? {}, { binding: attributes });
    else if (name === 'text') Object.assign(this.controls.at(-1) ?? {}, { isText: true });
    else if ((name === 'checkBox' || name === 'ddList') && !fullName.startsWith('w14'))
      this.choice = { kind: name, value: null, preset: null, entries: [] };
    else if (this.choice) this.choiceProperty(this.choice, name, value);
    else if (name === 'num' || name === 'den' || name === 'e') this.words(' ');
  }

  private choiceProperty(choice: Choice, name: string, value: string | undefined): void {
    if (name === 'default') choice.preset = value ?? '1';
    else if (name === 'checked' || name === 'result') choice.value = value ?? '1';
    else if (name === 'listEntry') choice.entries.push(value ?? '');
  }

  private endChoice(): void {
    const { choice } = this;
    this.choice = null;
    if (!choice) return;
    const value = choice.value ?? choice.preset ?? '0';
    if (choice.kind === 'checkBox') this.words(isOn(value) ? ' ☒ ' : ' ☐ ');
    else this.words(` ${choice.entries[Number(value) || 0] ?? ''} `);
  }

  private beginContent(): void {
    const control = this.controls.at(-1);
    if (control?.isText && control.binding) control.value = this.options.stores.valueOf(control.binding);
  }

  /** Lists the text of a control that shows another value. */
  private endControl(): void {
    if (this.controls.length === this.contentsControl) this.contentsControl = 0;
    const { value = null, text = '' } = this.controls.pop() ?? {};
    if (value === null) return;
    if (text.trim() === '') this.words(value);
    else if (splitAtSpaces(text).join('') !== splitAtSpaces(value).join(''))
      this.list.add({ place: 'form field', text });
  }

  private beginNote(kind: string, { id = '', type = '' }: Attributes): void {
    this.note = `${kind} ${id}`;
    this.skipsNote = /separator|notice/i.test(type);
  }

  private enter(name: string): void {
    if (name === 'tbl') this.rows.push({ table: this.count('table'), row: 0, cell: 0, deleted: new Set() });
    const at = this.rows.at(-1);
    if (!at) return;
    if (name === 'tr') Object.assign(at, { row: at.row + 1, cell: 0 });
    else if (name === 'tc') at.cell += 1;
  }

  /** Counts the words of a row or cell as deleted, up to its end. */
  private deletePart(name: string): void {
    const deleted = this.rows.at(-1)?.deleted;
    const part = name === 'cellDel' ? 'tc' : 'tr';
    if (!deleted || deleted.has(part)) return;
    deleted.add(part);
    this.deleting++;
  }

  private endPart(part: 'tc' | 'tr'): void {
    if (this.rows.at(-1)?.deleted.delete(part)) this.deleting--;
  }

  private endParagraph(): void {
    if (this.paragraphs.length > 0) this.endRun();
    const paragraph = this.paragraphs.pop() ?? this.paragraph();
    const { text, deleted, isContents } = paragraph;
    if (this.skipsNote) return;
    const place = this.placeOf();
    const add = (words: string, rest: Partial<Piece>) => this.list.add({ place, text: words, ...rest });
    if (isContents || this.contentsControl > 0) add(text, { isContents: true });
    else if (text.trim() !== '') add(text, { number: this.numberOf(paragraph) });
    add(deleted, { place: `deleted text in ${place}` });
  }

  /** Counts a paragraph in its list and returns its number. */
  private numberOf({ own, style, styleId }: Paragraph): string | number {
    const { list = '', level = null } = { ...style, ...own };
    return this.options.numbers.next(list, level, styleId);
  }

  private placeOf(): string {
    const cell = this.rows.at(-1);
    const where = cell
      ? `table ${cell.table}, row ${cell.row}, cell ${cell.cell}`
      : `paragraph ${this.count('paragraph')}`;
    if (this.note !== '') return this.note;
    return this.options.part === '' ? where : `${this.options.part}, ${where}`;
  }

  private count(what: string): number {
    const count = (this.counts.get(what) ?? 0) + 1;
    this.counts.set(what, count);
    return count;
  }
}

/** Properties of runs that change which words readers see. */
interface RunProperties {
  /** `^` for raised, `_` for lowered, '' for text on the line. */
  shift?: '^' | '_' | '';
  /** Distance by which the text is manually raised, in half points. */
  moved?: number;
  font?: string;
}

/** List and level of a paragraph; the list `0` is none. */
interface ListPlace {
  list?: string;
  level?: number;
}

type StyleProperties = RunProperties & ListPlace;

interface Style extends StyleProperties {
  basedOn?: string;
}

const MAX_CHAIN = 20;
/** Smallest move by hand that makes a number an exponent or index. */
const LEAST_MOVE = 4;
const LONGEST_MOVED = 8;
const SYMBOL_FONTS = new Set(['symbol', 'wingdings', 'wingdings 2', 'wingdings 3']);

/** The styles of a Word file: which of them are tables of contents, and how they show words. */
class StyleSheet {
  readonly contents = new Set<string>();
  private readonly styles = new Map<string, Style>();
  private plain = '';

  /** Adds the styles of a part. */
  read(xml: string): void {
    let id = '';
    let style: Style = {};
    let former = 0;
    walkXml(xml, {
      open: (name, attributes) => {
        if (/^[pr]PrChange$/.test(name)) former++;
        if (former > 0) return;
        if (name === 'style') {
          id = attributes['styleId'] ?? '';
          style = {};
          // The properties of table styles belong to parts of a table.
          if (attributes['type'] !== 'table') this.styles.set(id, style);
          if (attributes['type'] === 'paragraph' && /^(?:1|true|on)$/.test(attributes['default'] ?? ''))
            this.plain = id;
        } else if (name === 'basedOn') style.basedOn = attributes['val'] ?? '';
        else if (name === 'name' && /^(?:toc \d|toc heading|table of figures)/i.test(attributes['val'] ?? ''))
          this.contents.add(id);
        else if (!setListPlace(style, name, attributes['val'])) setRunProperty(style, name, attributes);
      },
      close: (name) => {
        if (/^[pr]PrChange$/.test(name)) former--;
      },
    });
  }

  /** Returns the properties of a style with what it inherits; null for the style of plain paragraphs. */
  propertiesOf(id: string | null): StyleProperties {
    const found: StyleProperties = {};
    let at = this.styles.get(id ?? this.plain);
    for (let length = 0; at && length < MAX_CHAIN; length++) {
      for (const key of ['shift', 'moved', 'font', 'list', 'level'] as const)
        if (found[key] === undefined && at[key] !== undefined) Object.assign(found, { [key]: at[key] });
      at = this.styles.get(at.basedOn ?? '');
    }
    return found;
  }
}

/** Sets a property of a run or style. Returns false for other properties. */
function setRunProperty(properties: RunProperties, name: string, { val, ascii, hAnsi }: Attributes): boolean {
  if (name === 'vertAlign') properties.shift = val === 'superscript' ? '^' : val === 'subscript' ? '_' : '';
  else if (name === 'position') properties.moved = Number(val) || 0;
  else if (name === 'rFonts' && (ascii ?? hAnsi) !== undefined) properties.font = ascii ?? hAnsi!;
  else if (name !== 'rFonts') return false;
  return true;
}

/** Sets the list or level of a paragraph or style. Returns false for other properties. */
function setListPlace(place: ListPlace, name: string, value = ''): boolean {
  if (name === 'numId') place.list = value;
  else if (name === 'ilvl') place.level = Math.min(8, Number(value) || 0);
  else return false;
  return true;
}

/** Returns how a run with these properties shifts its text. */
function shiftOf({ shift = '', moved = 0 }: RunProperties, text: string): '^' | '_' | '' {
  if (shift !== '') return shift;
  const isNumber = text.length <= LONGEST_MOVED && hasDigit(text) && !hasSpace(text);
  return !isNumber || Math.abs(moved) < LEAST_MOVE ? '' : moved > 0 ? '^' : '_';
}

/** Returns the characters that a font shows for a text. */
function inFont(text: string, font = ''): string {
  if (!SYMBOL_FONTS.has(font.trim().toLowerCase())) return text;
  return [...text]
    .map((character) => {
      const code = character.codePointAt(0)!;
      const isSymbol = (code > 0x20 && code < 0x100) || (code > 0xf020 && code < 0xf100);
      return isSymbol ? symbolCharacter(font, (0xf000 | code).toString(16)) : character;
    })
    .join('');
}
