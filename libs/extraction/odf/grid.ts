import { damaged } from '../errors.js';
import { EmbeddedImages } from '../embedded-images.js';
import { chosenSheet, rowsOf, type CellValue, type Grid, type PlacedValue } from '../grid.js';
import { type Attributes, readXml } from '../xml.js';
import { OdfParts } from './parts.js';
import { countOf, isHidden } from './table.js';

/** Maximum number of values that repetitions fill: a small file could declare billions. */
const MOST_VALUES = 5_000_000;

/**
 * Returns the values of a sheet of an OpenDocument spreadsheet. Cells that merged cells cover are left out.
 *
 * @param wanted name of the sheet, by default the first
 * @returns the names of the sheets if there is no such one
 * @throws ExtractionError for a damaged or oversized file
 */
export function odsGrid(bytes: Uint8Array, fileName: string, wanted?: string): Grid | string[] {
  const parts = new OdfParts(bytes, fileName, new EmbeddedImages(fileName));
  try {
    const sheets: OdsSheet[] = [];
    const open: string[] = [];
    readXml(parts.text('content.xml')!, {
      open: (name, attributes) => {
        // A table inside of a drawing or a cell is none of the sheets.
        if (name === 'table:table' && !open.includes(name))
          sheets.push(new OdsSheet(attributes['table:name'] ?? ''));
        else sheets.at(-1)?.open(name, attributes, open.at(-1) ?? '');
        open.push(name);
      },
      text: (text) => sheets.at(-1)?.text(text, open),
      close: (name) => {
        open.pop();
        sheets.at(-1)?.close(name);
      },
    });
    const names = sheets.map(({ name }) => name);
    const chosen = chosenSheet(sheets, wanted);
    if (!chosen) return names;
    return { sheet: chosen.name, sheets: names, rows: rowsOf(chosen.values), hidden: chosen.hidden };
  } catch (error) {
    throw damaged(fileName, error);
  }
}

class OdsSheet {
  readonly values: PlacedValue[] = [];
  hidden = 0;
  private row = 0;
  private column = 0;
  private rowRepeats = 1;
  private isRowHidden = false;
  private cell: Attributes | null = null;
  private words = '';
  private rowValues: PlacedValue[] = [];

  constructor(readonly name: string) {}

  open(name: string, attributes: Attributes, parent: string): void {
    if (name === 'table:table-row') {
      this.rowRepeats = countOf(attributes['table:number-rows-repeated']);
      this.isRowHidden = isHidden(attributes);
      this.column = 0;
      this.rowValues = [];
    } else if (name === 'table:table-cell' || name === 'table:covered-table-cell') {
      this.cell = attributes;
      this.words = '';
    } else if (name === 'text:p' && parent === 'table:table-cell' && this.words !== '') this.words += '\n';
    else if (name === 'text:s') this.words += ' '.repeat(Math.min(1_000, countOf(attributes['text:c'])));
    else if (name === 'text:tab') this.words += '\t';
    else if (name === 'text:line-break') this.words += '\n';
  }

  text(text: string, open: readonly string[]): void {
    if (open.includes('text:p') && !open.includes('office:annotation')) this.words += text;
  }

  close(name: string): void {
    if (name === 'table:table-cell' || name === 'table:covered-table-cell') this.endCell(name);
    else if (name === 'table:table-row') this.endRow();
  }

  private endCell(name: string): void {
    const attributes = this.cell ?? {};
    this.cell = null;
    const repeats = countOf(attributes['table:number-columns-repeated']);
    const value = name === 'table:table-cell' ? valueOf(attributes, this.words) : null;
    if (value !== null)
      for (let time = 1; time <= Math.min(repeats, MOST_VALUES - this.values.length); time++)
        this.rowValues.push({ row: this.row + 1, column: this.column + time, value });
    this.column += repeats;
  }

  private endRow(): void {
    const times = this.rowValues.length === 0 ? 0 : this.rowRepeats;
    for (let time = 0; time < times; time++) {
      if (this.values.length + this.rowValues.length > MOST_VALUES) throw new RangeError('Too many values');
      for (const value of this.rowValues) this.values.push({ ...value, row: value.row + time });
      if (this.isRowHidden) this.hidden += this.rowValues.length;
    }
    this.row += this.rowRepeats;
  }
}

/** @param words of the cell as displayed */
function valueOf(attributes: Attributes, words: string): CellValue {
  switch (attributes['office:value-type']) {
    case 'float':
    case 'percentage':
    case 'currency':
      return Number(attributes['office:value']);
    case 'boolean':
      return attributes['office:boolean-value'] === 'true';
    case 'date':
      return (attributes['office:date-value'] ?? words).replace('T', ' ');
    default:
      return words === '' ? null : words;
  }
}
