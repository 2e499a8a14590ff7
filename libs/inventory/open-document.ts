import { ListCounter, type ListLevel } from './list-numbers.js';
import { listNumber } from './office/drawing-text.js';
import { type Piece, type PieceList, withShifted } from './piece.js';
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
 * text boxes, fields of forms, formulas, charts, deleted text, shapes of master pages, decimal numbers of lists and headings.
 *
 * @throws InventoryError for a damaged or oversized file
 */
export function listOpenDocument(bytes: Uint8Array, list: PieceList): void {
  const parts = unzipParts(bytes, (name) => /(?:^|\/)(?:content|styles)\.xml$/.test(name));
  const styles: Styles = { raised: new Map(), levels: new Map() };
  for (const [path, part] of parts) if (!path.includes('/')) readStyles(xmlText(part), styles);
  for (const [path, part] of parts) {
    if (path.endsWith('styles.xml') && path.includes('/')) continue;
    const object = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
    // A stored preview of an object only repeats text.
    if (object.includes('ObjectReplacements')) continue;
    new DocumentReader(list, object, styles).read(xmlText(part), path.endsWith('styles.xml'));
  }
}

/** Styles that change which words readers see. */
interface Styles {
  raised: Map<string, '^' | '_'>;
  /** Levels of each list style; of numbered headings by `OUTLINE`. */
  levels: Map<string, ListLevel[]>;
}

const OUTLINE = ' headings';

function readStyles(xml: string, { raised, levels }: Styles): void {
  let style = '';
  let list: ListLevel[] = [];
  walkXml(xml, {
    open: (name, attributes) => {
      if (name === 'style') style = attributes['name'] ?? '';
      if (name === 'list-style' || name === 'outline-style')
        levels.set(name === 'list-style' ? (attributes['name'] ?? '') : OUTLINE, (list = []));
      if (/^(?:list|outline)-level-style/.test(name))
        list[Number(attributes['level']) - 1] = levelOf(name, attributes);
      const position = attributes['text-position'] ?? '';
      if (name !== 'text-properties' || position === '') return;
      if (/^(?:super|[1-9])/.test(position)) raised.set(style, '^');
      else if (/^(?:sub|-)/.test(position)) raised.set(style, '_');
    },
    close: () => undefined,
  });
}

function levelOf(name: string, attributes: Attributes): ListLevel {
  const format = attributes['num-format'] ?? '';
  const level = Number(attributes['level']) || 1;
  const shown = format === '' ? 0 : Math.min(level, Number(attributes['display-levels']) || 1);
  const numbers = Array.from({ length: shown }, (_, index) => `%${level - shown + 1 + index}`).join('.');
  const form = attributes['num-list-format']?.replace(/%(\d{1,2})%/g, '%$1');
  return {
    start: Number(attributes['start-value'] ?? 1) || 0,
    format: /bullet|image/.test(name) ? 'bullet' : format === '1' ? 'decimal' : format,
    text: form ?? (attributes['num-prefix'] ?? '') + numbers + (attributes['num-suffix'] ?? ''),
  };
}

/** The lists around the current paragraph of an OpenDocument file. */
class OpenLists {
  private readonly open: { style: string; list: string; isItem: boolean }[] = [];
  private readonly byId = new Map<string, string>();
  private readonly lastOf = new Map<string, string>();
  private readonly counter = new ListCounter();
  private count = 0;

  constructor(private readonly levels: Styles['levels']) {}

  begin(attributes: Attributes): void {
    const outer = this.open.at(-1);
    const style = attributes['style-name'] ?? outer?.style ?? '';
    const continued =
      this.byId.get(attributes['continue-list'] ?? '') ??
      (attributes['continue-numbering'] === 'true' ? this.lastOf.get(style) : undefined);
    const list = outer?.style === style ? outer.list : (continued ?? `list ${++this.count}`);
    this.byId.set(attributes['id'] ?? ' ', list);
    this.lastOf.set(style, list);
    this.open.push({ style, list, isItem: false });
  }

  end(): void {
    this.open.pop();
  }

  setItem(isItem: boolean, start?: string): void {
    const list = this.open.at(-1);
    if (!list) return;
    list.isItem = isItem;
    if (start !== undefined) this.counter.startAt(list.list, this.open.length - 1, Number(start) || 0);
  }

  /** Counts the item that begins with a paragraph and returns its number; undefined if the paragraph begins none. */
  take(): string | number | undefined {
    const list = this.open.at(-1);
    if (!list?.isItem) return undefined;
    for (const each of this.open) each.isItem = false;
    return this.counter.next(list.list, Math.min(8, this.open.length - 1), this.levels.get(list.style) ?? []);
  }

  heading(level: string | undefined): string | number {
    const depth = Math.max(0, (Number(level) || 1) - 1);
    return this.counter.next(OUTLINE, depth, this.levels.get(OUTLINE) ?? []);
  }
}

/** Titles and descriptions of frames and shapes. */
const isDescription = (fullName: string): boolean => /^svg:(?:title|desc)$/.test(fullName);

interface OpenParagraph {
  text: string;
  isContents: boolean;
  /** Number of its list item; undefined without one. */
  number?: string | number | undefined;
  /** Level of a heading that the outline numbers. */
  level?: string | undefined;
  row?: string;
}

class DocumentReader {
  private readonly paragraphs: OpenParagraph[] = [];
  private readonly places: string[] = [];
  private readonly spans: { mark: '^' | '_' | null; before: string }[] = [];
  private readonly counts = new Map<string, number>();
  private readonly sheets: OpenSheets;
  private readonly lists: OpenLists;
  /** Open rows of tables. */
  private readonly rows: string[] = [];
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
    private readonly styles: Styles,
  ) {
    this.sheets = new OpenSheets(list);
    this.lists = new OpenLists(styles.levels);
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
    else if (name === 'p' || name === 'h' || DECLARED.test(name)) this.beginParagraph(name, attributes);
    else if (name === 'list') this.lists.begin(attributes);
    else if (name === 'list-item') this.lists.setItem(true, attributes['start-value']);
    else if (name === 'table-row') this.rows.push(this.numbered('row'));
    else if (name === 's') this.paragraph().text += ' ';
    else if (name === 'tab' || name === 'line-break') this.paragraph().text += ' ';
    else if (name === 'index-body') this.contents++;
    else if (name === 'span') this.beginSpan(this.styles.raised.get(attributes['style-name'] ?? '') ?? null);
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
    else if (name === 'list') this.lists.end();
    else if (name === 'list-item') this.lists.setItem(false);
    else if (name === 'table-row') this.rows.pop();
    else if (name === 'index-body') this.contents--;
    else if (name === 'span') this.endSpan();
    else if (name === 'ruby-text') this.paragraph().text += ' ';
    else if (Object.hasOwn(PLACES, name) && !this.isFormula) this.places.pop();
  }

  private beginParagraph(name: string, attributes: Attributes): void {
    const isContents = this.contents > 0;
    const number = isContents ? undefined : this.lists.take();
    const isNumbered = name === 'h' && number === undefined && attributes['is-list-header'] !== 'true';
    this.paragraphs.push({
      ...{ text: '', isContents, number, row: this.rows.at(-1) ?? '' },
      level: isNumbered && !isContents ? (attributes['outline-level'] ?? '1') : undefined,
    });
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
    if (span && span.mark !== null) paragraph.text = withShifted(span.before, paragraph.text, span.mark);
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
    const { level, isContents, row = '' } = paragraph;
    const number =
      level === undefined || paragraph.text.trim() === '' ? paragraph.number : this.lists.heading(level);
    if (this.places.length === 0 && this.sheets.add(paragraph.text.replace(SYMBOLS, ''))) return;
    const place = this.places.at(-1) ?? this.numbered(this.object === '' ? 'paragraph' : this.object);
    const rest = { number: number ?? '', ...(row === '' ? {} : { row }) };
    this.add(place, paragraph.text, isContents ? { ...rest, isContents } : rest);
  }

  private add(place: string, text: string, rest: Partial<Piece> = {}): void {
    const piece = { ...rest, place, text: text.replace(SYMBOLS, '') };
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
  private isChart = false;
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
    if (name === 'chart') this.isChart = true;
    if (!this.isSpreadsheet && !this.isChart) return;
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
    if (!this.isSpreadsheet && !this.isChart) return;
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
    if (this.isSpreadsheet) this.list.add({ place: 'name of a sheet', text: name });
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
    if (this.cell && !this.cell.hasText) {
      if (this.isChart) listNumber(this.cell.value, 'General', this.list, { place: this.cell.place });
      else this.add(this.cell.value);
    }
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
