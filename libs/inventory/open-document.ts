import { type PieceList, shiftedText } from './piece.js';
import { type Attributes, walkXml, xmlText } from './xml.js';
import { unzipParts } from './zip.js';

/** Elements with text that is shown elsewhere, or not at all. */
const UNSEEN = new Set([
  'note-citation',
  'index-title-template',
  'table-of-content-source',
  'annotation-end',
  'script',
  'event-listeners',
]);
/** Frames of a master page that a slide fills; their own words are not shown. */
const PLACEHOLDERS =
  /^(?:title|outline|subtitle|text|notes|page|handout|header|footer|date-time|page-number)$/;
/** Authors and dates of comments and changes. */
const PROPERTY = /^(?:dc|meta):|:(?:creator|sender)-initials$/;
/** Characters of symbol fonts. Their shapes cannot be determined from the text. */
const SYMBOLS = /[\uf000-\uf0ff]/g;
/** Parts of the text that have their own places. */
const PLACES: Record<string, string> = {
  'note-body': 'note',
  annotation: 'comment',
  header: 'header',
  footer: 'footer',
  'header-left': 'header',
  'footer-left': 'footer',
  'header-first': 'header',
  'footer-first': 'footer',
  'tracked-changes': 'deleted text',
  notes: 'notes of a slide',
  page: 'slide',
};
/** Texts that slides show in their footers and headers, stored outside of paragraphs. */
const DECLARED = /^(?:header|footer|date-time)-decl$/;

/**
 * Lists the pieces of an OpenDocument text, spreadsheet or presentation: paragraphs, names of sheets, cells, notes, comments, headers, footers,
 * text boxes, fields of forms, formulas, charts, deleted text, shapes of master pages. Numbers of lists are not listed.
 *
 * @throws InventoryError for a damaged or oversized file
 */
export function listOpenDocument(bytes: Uint8Array, list: PieceList): void {
  const parts = unzipParts(bytes, (name) => /(?:^|\/)(?:content|styles)\.xml$/.test(name));
  const raised = new Map<string, '^' | '_'>();
  for (const [path, part] of parts) if (!path.includes('/')) readRaised(xmlText(part), raised);
  for (const [path, part] of parts) {
    if (path.endsWith('styles.xml') && path.includes('/')) continue;
    const object = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
    // A stored preview of an object only repeats text.
    if (object.includes('ObjectReplacements')) continue;
    new DocumentReader(list, object, raised).read(xmlText(part), path.endsWith('styles.xml'));
  }
}

function readRaised(xml: string, raised: Map<string, '^' | '_'>): void {
  let style = '';
  walkXml(xml, {
    open: (name, attributes) => {
      if (name === 'style') style = attributes['name'] ?? '';
      const position = attributes['text-position'] ?? '';
      if (name !== 'text-properties' || position === '') return;
      if (/^(?:super|[1-9])/.test(position)) raised.set(style, '^');
      else if (/^(?:sub|-)/.test(position)) raised.set(style, '_');
    },
    close: () => undefined,
  });
}

/** Titles and descriptions of frames and shapes. */
const isDescription = (fullName: string): boolean => /^svg:(?:title|desc)$/.test(fullName);

interface OpenParagraph {
  text: string;
  isContents: boolean;
}

class DocumentReader {
  private readonly paragraphs: OpenParagraph[] = [];
  private readonly places: string[] = [];
  private readonly spans: { mark: '^' | '_' | null; before: string }[] = [];
  private readonly counts = new Map<string, number>();
  private readonly sheets: OpenSheets;
  /** Names of open elements with text that is not shown. */
  private readonly masked: string[] = [];
  private unseen = 0;
  private contents = 0;
  private isStyles = false;
  /** Depth in the body, or in the headers and footers of `styles.xml`. */
  private body = 0;

  constructor(
    private readonly list: PieceList,
    private readonly object: string,
    private readonly raised: ReadonlyMap<string, '^' | '_'>,
  ) {
    this.sheets = new OpenSheets(list);
  }

  read(xml: string, isStyles: boolean): void {
    const root = isStyles ? 'master-styles' : 'body';
    this.isStyles = isStyles;
    walkXml(xml, {
      open: (name, attributes, fullName) => {
        if (PROPERTY.test(fullName)) this.unseen++;
        if (name === root || (name === 'math' && !isStyles)) this.body++;
        if (this.body > 0) this.open(name, attributes, fullName);
      },
      text: (text) => {
        if (this.unseen === 0 && (this.paragraphs.length > 0 || this.isFormula))
          this.paragraph().text += text;
      },
      close: (name, fullName) => {
        if (PROPERTY.test(fullName)) this.unseen--;
        if (this.body > 0) this.close(name, fullName);
        if (name === root || (name === 'math' && !isStyles)) this.body--;
      },
    });
    while (this.paragraphs.length > 0) this.endParagraph();
  }

  private isFormula = false;

  private open(name: string, attributes: Attributes, fullName: string): void {
    if (this.masked.length > 0 || this.isMasked(name, attributes)) {
      if (this.masked.push(name) === 1) this.unseen++;
      return;
    }
    this.sheets.open(name, attributes);
    if (UNSEEN.has(name) || (name === 'annotation' && this.isFormula)) this.unseen++;
    else if (name === 'math') this.isFormula = true;
    else if (isDescription(fullName)) this.beginDescription();
    else if (name === 'p' || name === 'h' || DECLARED.test(name))
      this.paragraphs.push({ text: '', isContents: this.contents > 0 });
    else if (name === 's') this.paragraph().text += ' ';
    else if (name === 'tab' || name === 'line-break') this.paragraph().text += ' ';
    else if (name === 'index-body') this.contents++;
    else if (name === 'span') this.beginSpan(this.raised.get(attributes['style-name'] ?? '') ?? null);
    else if (name === 'ruby-text') this.paragraph().text += ' ';
    else if (Object.hasOwn(PLACES, name) && !this.isFormula) this.places.push(this.numbered(PLACES[name]!));
    else if (this.isFormula) this.paragraph().text += ' ';
    else this.field(name, attributes);
  }

  /** Words of a master page that slides replace, and of headers and footers that are switched off. */
  private isMasked(name: string, attributes: Attributes): boolean {
    if (!this.isStyles) return false;
    if (PLACES[name] === 'header' || PLACES[name] === 'footer') return attributes['display'] === 'false';
    return (
      name === 'notes' || attributes['placeholder'] === 'true' || PLACEHOLDERS.test(attributes['class'] ?? '')
    );
  }

  private close(name: string, fullName: string): void {
    if (this.masked.length > 0) {
      this.masked.pop();
      if (this.masked.length === 0) this.unseen--;
      return;
    }
    this.sheets.close(name);
    if (UNSEEN.has(name) || (name === 'annotation' && this.isFormula))
      this.unseen = Math.max(0, this.unseen - 1);
    else if (name === 'math') {
      this.endParagraph();
      this.isFormula = false;
    } else if (isDescription(fullName)) this.endDescription();
    else if (name === 'p' || name === 'h' || DECLARED.test(name)) this.endParagraph();
    else if (name === 'index-body') this.contents--;
    else if (name === 'span') this.endSpan();
    else if (name === 'ruby-text') this.paragraph().text += ' ';
    else if (Object.hasOwn(PLACES, name) && !this.isFormula) this.places.pop();
  }

  /** Innermost open paragraph, or an implicit one for formulas, which have text outside of paragraphs. */
  private paragraph(): OpenParagraph {
    if (this.paragraphs.length === 0) this.paragraphs.push({ text: '', isContents: false });
    return this.paragraphs.at(-1)!;
  }

  private beginDescription(): void {
    this.places.push(this.numbered('alternative text'));
    this.paragraphs.push({ text: '', isContents: false });
  }

  private endDescription(): void {
    const text = this.paragraphs.pop()?.text ?? '';
    this.add(this.places.pop() ?? '', text);
  }

  private beginSpan(mark: '^' | '_' | null): void {
    const paragraph = this.paragraph();
    this.spans.push({ mark, before: paragraph.text });
    if (mark !== null) paragraph.text = '';
  }

  private endSpan(): void {
    const span = this.spans.pop();
    const paragraph = this.paragraph();
    if (span && span.mark !== null) paragraph.text = span.before + shiftedText(paragraph.text, span.mark);
  }

  /** Lists the value that a form field shows: a box, a button or typed words. */
  private field(name: string, attributes: Attributes): void {
    if (name === 'checkbox' || name === 'radio') {
      const state =
        attributes['current-state'] ?? attributes['state'] ?? attributes['current-selected'] ?? '';
      this.add('form field', `${/^(?:checked|true)$/.test(state) ? '☒' : '☐'} ${attributes['label'] ?? ''}`);
    } else if (/^(?:text|textarea|formatted-text|combobox|date|time|number)$/.test(name))
      this.add('form field', attributes['current-value'] ?? attributes['value'] ?? '');
    else if (name === 'button' || name === 'fixed-text') this.add('form field', attributes['label'] ?? '');
  }

  private endParagraph(): void {
    const paragraph = this.paragraphs.pop();
    if (!paragraph) return;
    if (this.places.length === 0 && this.sheets.add(paragraph.text.replace(SYMBOLS, ''))) return;
    const place = this.places.at(-1) ?? this.numbered(this.object === '' ? 'paragraph' : this.object);
    this.add(place, paragraph.text, paragraph.isContents);
  }

  private add(place: string, text: string, isContents = false): void {
    const piece = { place, text: text.replace(SYMBOLS, ''), ...(isContents ? { isContents } : {}) };
    if (this.isStyles) this.list.addRunning(piece);
    else this.list.add(piece);
  }

  private numbered(what: string): string {
    const number = (this.counts.get(what) ?? 0) + 1;
    this.counts.set(what, number);
    return `${what} ${number}`;
  }
}

/** Maximum number of pieces that the repetitions of cells add to a sheet: a small file can declare billions. */
const MOST_REPEATED = 10_000;
const MOST_COLUMNS = 16_384;
/** Attributes with the value of a cell that does not contain text. */
const VALUES = ['string-value', 'value', 'date-value', 'time-value', 'boolean-value'];

interface Cell {
  place: string;
  /** Number of times that the sheet shows the cell. */
  times: number;
  value: string;
  hasText: boolean;
}

/** Tracks the sheets, rows and cells of an OpenDocument spreadsheet, and lists names of sheets and values of cells. */
class OpenSheets {
  private isSpreadsheet = false;
  private tables = 0;
  private sheet = '';
  private readonly hiddenColumns = new Set<number>();
  private columns = 0;
  private row = 0;
  private rowTimes = 1;
  private isRowHidden = false;
  private column = 0;
  private cell: Cell | null = null;
  private repeated = 0;

  constructor(private readonly list: PieceList) {}

  open(name: string, attributes: Attributes): void {
    if (name === 'spreadsheet') this.isSpreadsheet = true;
    if (!this.isSpreadsheet) return;
    if (name === 'table' && ++this.tables === 1) this.beginSheet(attributes['name'] ?? '');
    if (this.tables !== 1) return;
    if (name === 'table-column') this.beginColumns(attributes);
    else if (name === 'table-row') {
      this.row += 1;
      this.rowTimes = countOf(attributes['number-rows-repeated']);
      this.isRowHidden = isHidden(attributes);
      this.column = 0;
    } else if (/^(?:covered-)?table-cell$/.test(name)) this.beginCell(name, attributes);
  }

  close(name: string): void {
    if (!this.isSpreadsheet) return;
    if (this.tables === 1 && name === 'table-row') this.row += this.rowTimes - 1;
    if (this.tables === 1 && /^(?:covered-)?table-cell$/.test(name)) this.endCell();
    if (name === 'table') this.tables--;
  }

  /** Adds a paragraph of the current cell as often as the sheet shows it. @returns false outside of cells */
  add(text: string): boolean {
    if (!this.cell) return false;
    if (text.trim() === '') return true;
    const { place, times } = this.cell;
    this.cell.hasText = true;
    const more = Math.min(times - 1, Math.max(0, MOST_REPEATED - this.repeated));
    this.repeated += more;
    for (let time = 0; time <= more; time++) this.list.add({ place, text });
    return true;
  }

  private beginSheet(name: string): void {
    this.sheet = `sheet ${JSON.stringify(name)}`;
    this.list.add({ place: 'name of a sheet', text: name });
    [this.columns, this.row, this.repeated, this.cell] = [0, 0, 0, null];
    this.hiddenColumns.clear();
  }

  private beginColumns(attributes: Attributes): void {
    const first = this.columns + 1;
    this.columns += countOf(attributes['number-columns-repeated']);
    if (!isHidden(attributes)) return;
    for (let column = first; column <= Math.min(this.columns, MOST_COLUMNS); column++)
      this.hiddenColumns.add(column);
  }

  private beginCell(name: string, attributes: Attributes): void {
    const first = this.column + 1;
    const width = countOf(attributes['number-columns-repeated']);
    this.column += width;
    const isCovered = name !== 'table-cell';
    let times = 0;
    for (let column = first; column < first + Math.min(width, MOST_COLUMNS); column++)
      if (!this.hiddenColumns.has(column)) times++;
    // List a hidden cell once, even if it is repeated.
    const isShown = times > 0 && !this.isRowHidden && !isCovered;
    this.cell = {
      place: `${this.sheet} ${columnName(first)}${this.row}`,
      times: isShown ? times * this.rowTimes : 1,
      value: VALUES.map((key) => attributes[key] ?? '').find((value) => value !== '') ?? '',
      hasText: false,
    };
  }

  private endCell(): void {
    if (this.cell && !this.cell.hasText) this.add(this.cell.value);
    this.cell = null;
  }
}

const countOf = (value: string | undefined): number => Math.max(1, Math.min(1_048_576, Number(value) || 1));
const isHidden = ({ visibility = 'visible' }: Attributes): boolean => visibility !== 'visible';

function columnName(column: number): string {
  let name = '';
  for (let rest = column; rest > 0; rest = Math.floor((rest - 1) / 26))
    name = String.fromCharCode(65 + ((rest - 1) % 26)) + name;
  return name;
}
