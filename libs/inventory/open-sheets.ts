import type { PieceList } from './piece.js';
import type { Attributes } from './xml.js';

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
export class OpenSheets {
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
