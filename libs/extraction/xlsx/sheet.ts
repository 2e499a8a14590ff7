import { addressOf } from '../cell-table.js';
import type { CellValue } from '../grid.js';
import { formattedText, numberText, numberValue } from '../ooxml/number-text.js';
import type { Relationship } from '../ooxml/package.js';
import { StyledText } from '../styled-text.js';
import { type Attributes, isOn, readXml } from '../xml.js';
import { type CellStyle, type CellText, RichText, unescaped } from './workbook.js';

/** A cell with words. */
interface Cell extends CellText {
  row: number;
  column: number;
  /** For computing. */
  value: CellValue;
}

/** State that the sheets of a workbook share. */
export interface WorkbookContext {
  strings: readonly CellText[];
  styles: readonly CellStyle[];
  is1904: boolean;
}

/** Excel's limit of columns. */
const MOST_COLUMNS = 16_384;
/** If more comparisons are needed to find the cells that merged cells cover, they are not made. */
const MOST_COMPARISONS = 50_000_000;

/** The cells of a worksheet as they are displayed. */
export class Sheet {
  /** Cells by row, from left to right. */
  readonly cells: Cell[] = [];
  /** Cells that the sheet does not show, by reason. */
  readonly omitted = new Map<string, Cell[]>();
  /** Headers and footers with their codes. */
  readonly pageTexts: { what: 'header' | 'footer'; text: string }[] = [];
  /** Words that appear when a cell is selected: the choices that it offers, and messages. */
  readonly cellHints: { what: string; text: string }[] = [];
  /** IDs of its drawings. */
  readonly drawings: string[] = [];
  private readonly found: { cell: Cell; reason: string | null }[] = [];
  private readonly hiddenColumns = new Set<number>();
  private readonly merged: Range[] = [];
  private readonly links = new Map<string, string>();
  private readonly rich = new RichText();
  private row = 0;
  private column = 0;
  private isRowHidden = false;
  /** Whether the cells of the current rule accept the entries of a list only. */
  private isChoice = false;
  private cell: { type: string; style: number; reference: string } | null = null;
  private value = '';
  private formula = '';
  private textIn = '';

  constructor(
    xml: string,
    private readonly workbook: WorkbookContext,
    private readonly relationships: ReadonlyMap<string, Relationship>,
  ) {
    readXml(xml, {
      open: (name, attributes) => this.open(name, attributes),
      text: (text) => this.text(text),
      close: (name) => this.close(name),
    });
    this.finish();
  }

  private open(name: string, attributes: Attributes): void {
    this.textIn = name;
    if (name === 's:row') {
      this.row = Number(attributes['r']) || this.row + 1;
      this.column = 0;
      this.isRowHidden = isOn(attributes['hidden'] ?? '0');
    } else if (name === 's:c') this.beginCell(attributes);
    else if (name === 's:col' && isOn(attributes['hidden'] ?? '0')) {
      const last = Math.min(MOST_COLUMNS, Number(attributes['max']) || 0);
      for (let column = Number(attributes['min']) || 1; column <= last; column++)
        this.hiddenColumns.add(column);
    } else if (name === 's:dataValidation') this.validation(attributes);
    else if (name === 's:formula1') this.value = '';
    else if (name === 's:mergeCell') this.merged.push(rangeOf(attributes['ref'] ?? ''));
    else if (name === 's:hyperlink') this.link(attributes);
    else if (name === 's:drawing') this.drawings.push(attributes['r:id'] ?? '');
    else this.rich.open(name, attributes['val'] ?? '');
    if (name === 's:v' || name === 's:f' || /Header$|Footer$/.test(name)) this.value = '';
  }

  private text(text: string): void {
    if (/^s:(?:v|formula1)$|Header$|Footer$/.test(this.textIn)) this.value += text;
    else if (this.textIn === 's:f') this.formula += text;
    else this.rich.text(text);
  }

  private close(name: string): void {
    this.textIn = '';
    if (name === 's:c') this.endCell();
    else if (name === 's:formula1') this.choices();
    else if (/^s:(?:odd|even|first)(?:Header|Footer)$/.test(name)) {
      this.pageTexts.push({ what: name.endsWith('Header') ? 'header' : 'footer', text: this.value });
      this.value = '';
    } else this.rich.close(name);
  }

  private validation({
    type = '',
    promptTitle = '',
    prompt = '',
    errorTitle = '',
    error = '',
  }: Attributes): void {
    this.isChoice = type === 'list';
    this.hint('input message', `${promptTitle} ${prompt}`);
    this.hint('message about a wrong input', `${errorTitle} ${error}`);
  }

  /** Choices in quotation marks; others are the words of cells. */
  private choices(): void {
    const list = this.isChoice ? /^\s*"(.*)"\s*$/s.exec(this.value)?.[1] : undefined;
    this.hint('choices of a cell', (list ?? '').replaceAll('""', '"'));
    this.value = '';
  }

  private hint(what: string, words: string): void {
    const text = unescaped(words).trim();
    const isNew = !this.cellHints.some((each) => each.what === what && each.text === text);
    if (text !== '' && isNew) this.cellHints.push({ what, text });
  }

  private beginCell({ r = '', t = 'n', s }: Attributes): void {
    this.column = columnOf(r) || this.column + 1;
    this.row = rowOf(r) || this.row;
    this.cell = { type: t, style: Number(s) || 0, reference: addressOf(this.row, this.column) };
    this.value = '';
    this.formula = '';
    this.rich.take();
  }

  private endCell(): void {
    const { cell, row, column } = this;
    if (cell === null) return;
    this.cell = null;
    const style = this.workbook.styles[cell.style];
    const format = style?.format ?? 'General';
    const text = this.display(cell.type, format);
    const value = this.valueOf(cell.type, format, text.plain);
    const isEmpty = text.plain.trim() === '';
    // A format may show nothing of a value.
    if (isEmpty && this.value.trim() !== '' && cell.type !== 's' && cell.type !== 'str')
      this.found.push({
        cell: { row, column, value, markdown: '', plain: this.value },
        reason: 'hidden value',
      });
    if (isEmpty) return;
    const linked = /^HYPERLINK\(\s*"([^"]+)"/i.exec(this.formula)?.[1];
    if (linked !== undefined) this.links.set(cell.reference, linked);
    if (style && style.font !== 'plain' && text.markdown === plainMarkdown(text.plain)) {
      const styled = new StyledText();
      styled.runStyle = style.font;
      styled.words(text.plain);
      text.markdown = styled.takeLines().join('<br>');
    }
    const reason = this.isRowHidden ? 'hidden row' : null;
    this.found.push({ cell: { row, column, value, ...text }, reason });
  }

  private display(type: string, format: string): CellText {
    const { value, formula } = this;
    if (type === 'inlineStr') return this.rich.take();
    if (type === 's') return { ...(this.workbook.strings[Number(value)] ?? { markdown: '', plain: '' }) };
    // Programs that do not calculate omit the result. Excel computes it on opening the file.
    if (value === '' && formula !== '') return textOf(`=${formula}`);
    if (type === 'b') return textOf(value === '1' || value === 'true' ? 'TRUE' : 'FALSE');
    if (type === 'str') return textOf(formattedText(value, format));
    if (type === 'e') return textOf(value);
    if (type === 'd') return textOf(numberText(serialOf(value), format, false));
    return textOf(numberText(value, format, this.workbook.is1904));
  }

  private valueOf(type: string, format: string, plain: string): CellValue {
    if (type === 'b') return plain === 'TRUE';
    if (type === 'd') return this.value;
    if (type !== 'n' || this.value === '') return plain;
    return numberValue(this.value, format, this.workbook.is1904);
  }

  private link(attributes: Attributes): void {
    const relationship = this.relationships.get(attributes['r:id'] ?? '');
    const { top, left } = rangeOf(attributes['ref'] ?? '');
    if (relationship?.isExternal) this.links.set(addressOf(top, left), relationship.target);
  }

  /** Applies hidden columns, merged cells and links, which the file may contain after the cells. */
  private finish(): void {
    const merged = this.merged.length * this.found.length <= MOST_COMPARISONS ? this.merged : [];
    for (const { cell, reason } of this.found) {
      const isColumnHidden = this.hiddenColumns.has(cell.column);
      const isCovered = merged.some(
        (range) => isIn(range, cell) && (cell.row !== range.top || cell.column !== range.left),
      );
      const why = reason ?? (isColumnHidden ? 'hidden column' : isCovered ? 'covered cell' : null);
      if (why !== null) this.omit(why, cell);
      else this.cells.push(this.linked(cell));
    }
    this.found.length = 0;
  }

  private omit(why: string, cell: Cell): void {
    const cells = this.omitted.get(why) ?? [];
    this.omitted.set(why, cells);
    cells.push(cell);
  }

  private linked(cell: Cell): Cell {
    const address = this.links.get(addressOf(cell.row, cell.column));
    if (address === undefined) return cell;
    const text = new StyledText();
    text.beginPart();
    text.words(cell.plain);
    text.endLink(address);
    return { ...cell, markdown: text.takeLines().join('<br>') };
  }
}

const isIn = (range: Range, { row, column }: Cell) =>
  row >= range.top && row <= range.bottom && column >= range.left && column <= range.right;

function plainMarkdown(plain: string): string {
  const text = new StyledText();
  text.words(plain);
  return text.takeLines().join('<br>');
}

const textOf = (plain: string): CellText => ({ markdown: plainMarkdown(plain), plain });

/** Returns the day of an ISO date in the way that numbers count it. */
function serialOf(date: string): string {
  const time = Date.parse(
    /(?:Z|[+-]\d\d:?\d\d)$/.test(date) ? date : `${date}${date.includes('T') ? '' : 'T00:00:00'}Z`,
  );
  return Number.isNaN(time) ? date : String(time / 86_400_000 + 25_569);
}

/** A rectangle of cells; rows and columns count from 1, the last ones belong to it. */
export interface Range {
  top: number;
  bottom: number;
  left: number;
  right: number;
}

/** Returns the column of a reference such as `AB12`; 0 if it names none. */
function columnOf(reference: string): number {
  const letters = /^\$?([A-Z]{1,3})/i.exec(reference)?.[1]?.toUpperCase() ?? '';
  return [...letters].reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0);
}

/** Returns the row of a reference such as `AB12`; 0 if it names none. */
const rowOf = (reference: string): number => Number(/(\d{1,7})$/.exec(reference)?.[1] ?? 0);

/** Returns the cells of a reference such as `A1:B2` or `C3`. */
export function rangeOf(reference: string): Range {
  const [first = '', last = first] = reference.split(':');
  return { top: rowOf(first), bottom: rowOf(last), left: columnOf(first), right: columnOf(last) };
}
