import { type PieceList, withShifted } from '../piece.js';
import { walkXml, type Attributes } from '../xml.js';
import { listChart, listDrawing, listNumber } from './drawing-text.js';
import { daysOf, readFormats } from './number-formats.js';
import { OfficePackage } from './package.js';

const DAYS_TO_1904 = 1_462;

/**
 * Lists the pieces of an Excel file: names of sheets, each cell with a value, choices and messages of cells, comments, text boxes,
 * charts, headers and footers. Formulas
 * are not shown and not listed.
 *
 * @throws InventoryError for a damaged or oversized file
 */
export function listSpreadsheet(bytes: Uint8Array, list: PieceList): void {
  const parts = new OfficePackage(bytes);
  const shown = parts.shownParts();
  const workbook = shown.find(({ root }) => root === 'workbook')?.path ?? 'xl/workbook.xml';
  const only = (root: string) => parts.text(shown.find((part) => part.root === root)?.path ?? '');
  const strings = sharedStrings(only('sst'));
  const formats = readFormats(only('styleSheet'));
  const firstDay = firstDayOf(parts.text(workbook));
  const names = sheetNames(parts, workbook);
  let charts = 0;
  for (const { path, root } of shown) {
    const xml = parts.text(path);
    if (root === 'worksheet') {
      const name = names.get(path) ?? path;
      list.add({ place: 'name of a sheet', text: name });
      new SheetReader(list, `sheet ${JSON.stringify(name)}`, strings, formats, firstDay).read(xml);
    } else if (root === 'chartsheet') {
      const name = names.get(path) ?? '';
      list.add({ place: 'name of a sheet', text: name });
      new SheetReader(list, `sheet ${JSON.stringify(name)}`, strings, formats, firstDay).read(xml);
    } else if (root === 'chartSpace') listChart(xml, list, `chart ${++charts}`);
    else if (root === 'wsDr') listDrawing(xml, list, 'text box');
    else if (root === 'userShapes') listDrawing(xml, list, 'chart shapes');
    else if (root === 'comments') listComments(xml, list);
  }
}

/** Returns the number of the first day in the date system of 1900: 1,462 in a workbook that counts from 1904. */
function firstDayOf(workbook: string): number {
  let firstDay = 0;
  walkXml(workbook, {
    open: (name, { date1904 }) => {
      if (name === 'workbookPr' && /^(?:1|true|on)$/.test(date1904 ?? '')) firstDay = DAYS_TO_1904;
    },
    close: () => undefined,
  });
  return firstDay;
}

function sheetNames(parts: OfficePackage, workbook: string): Map<string, string> {
  const targets = parts.references(workbook);
  const names = new Map<string, string>();
  walkXml(parts.text(workbook), {
    open: (name, { name: sheet, id }) => {
      if (name === 'sheet') names.set(targets.get(id ?? '')?.target ?? '', sheet ?? '');
    },
    close: () => undefined,
  });
  return names;
}

/** Returns the shared strings in their order. Readings of Japanese characters (`rPh`) are not shown. */
function sharedStrings(xml: string): string[] {
  const strings: string[] = [];
  let isText = false;
  let readings = 0;
  let shift: '^' | '_' | null = null;
  walkXml(xml, {
    open: (name, { val }) => {
      if (name === 'si') strings.push('');
      if (name === 'r') shift = null;
      if (name === 'vertAlign') shift = val === 'superscript' ? '^' : val === 'subscript' ? '_' : null;
      if (name === 'rPh') readings++;
      isText = name === 't' && readings === 0;
    },
    text: (text) => {
      if (!isText || strings.length === 0) return;
      const words = unescaped(text);
      strings.push(withShifted(strings.pop()!, words, shift));
    },
    close: (name) => {
      if (name === 'r') shift = null;
      if (name === 'rPh') readings--;
      isText = false;
    },
  });
  return strings;
}

class SheetReader {
  private cell = { at: '', type: '', style: 0 };
  private isChoice = false;
  private readonly hints = new Set<string>();
  private element = '';
  private value = '';

  constructor(
    private readonly list: PieceList,
    private readonly sheet: string,
    private readonly strings: readonly string[],
    private readonly formats: readonly string[],
    private readonly firstDay: number,
  ) {}

  read(xml: string): void {
    walkXml(xml, {
      open: (name, attributes) => {
        const { r = '', t = '', s = '0' } = attributes;
        if (name === 'dataValidation') this.validation(attributes);
        if (name === 'c') [this.cell, this.value] = [{ at: r, type: t, style: Number(s) }, ''];
        if (['v', 't', 'formula1'].includes(name) || /^(?:odd|even|first)(?:Header|Footer)$/.test(name))
          this.element = name;
        if (this.element.endsWith('er') || name === 'formula1') this.value = '';
      },
      text: (text) => {
        if (this.element !== '') this.value += text;
      },
      close: (name) => {
        if (/(?:Header|Footer)$/.test(name) && name === this.element)
          this.add(name.endsWith('Header') ? 'header' : 'footer', withoutCodes(this.value));
        if (name === 'c') this.endCell();
        if (name === 'formula1' && this.isChoice && /^\s*"/.test(this.value))
          this.hint('choices', this.value);
        if (name === this.element) this.element = '';
      },
    });
  }

  private validation({ type, promptTitle = '', prompt = '', errorTitle = '', error = '' }: Attributes): void {
    this.isChoice = type === 'list';
    this.hint('input message', `${promptTitle} ${prompt}`);
    this.hint('message about a wrong input', `${errorTitle} ${error}`);
  }

  /** The same rule may apply to many cells. */
  private hint(what: string, text: string): void {
    const place = `${this.sheet} ${what}`;
    const isAgain = this.hints.has(`${what} ${text}`);
    this.hints.add(`${what} ${text}`);
    this.list.add({
      place,
      text: unescaped(text),
      ...(isAgain ? { again: 'the same for other cells' } : {}),
    });
  }

  private endCell(): void {
    const { at, type } = this.cell;
    if (this.value === '') return;
    if (type === 's') return this.add(at, this.strings[Number(this.value)] ?? '');
    if (type === 'b') return this.add(at, this.value === '1' ? 'TRUE' : 'FALSE');
    if (type === 'd') return this.number(at, String(daysOf(this.value) - this.firstDay));
    if (type !== '' && type !== 'n') return this.add(at, this.value);
    this.number(at, this.value);
  }

  private number(at: string, value: string): void {
    const format = this.formats[this.cell.style] ?? 'General';
    listNumber(value, format, this.list, { place: `${this.sheet} ${at}` }, this.firstDay);
  }

  private add(at: string, text: string): void {
    this.list.add({ place: `${this.sheet} ${at}`, text: unescaped(text) });
  }
}

/** Characters that XML cannot store are written as `_x000D_`. */
const unescaped = (text: string): string =>
  text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

/** Removes the codes of page numbers and fonts from a header or footer, such as `&P` and `&"Arial,Bold"`. */
const withoutCodes = (text: string): string =>
  text.replace(/&(?:&|"[^"]*"|\d{1,3}|K(?:[0-9A-Fa-f]{6}|\d\d[+-]\d{3})|[A-Za-z])/g, (code) =>
    code === '&&' ? '&' : ' ',
  );

function listComments(xml: string, list: PieceList): void {
  let place = '';
  let text = '';
  let isText = false;
  walkXml(xml, {
    open: (name, { ref = '' }) => {
      if (name === 'comment') [place, text] = [`comment on ${ref}`, ''];
      if (name === 't') isText = true;
    },
    text: (words) => {
      if (isText) text += words;
    },
    close: (name) => {
      if (name === 't') isText = false;
      if (name === 'comment') list.add({ place, text });
    },
  });
}
