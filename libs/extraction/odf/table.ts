import { addressOf, type PlacedCell, writeCells } from '../cell-table.js';
import type { DocumentText } from '../document-text.js';
import type { Attributes } from '../xml.js';

/** Maximum number of cells that a repetition fills: a small file could declare billions. */
const MOST_REPEATED = 100_000;
const MOST_COLUMNS = 16_384;

/** Collects the cells of a table. Cells that a merged one covers are in the file, too, so that no cell spans others. */
export class OdfTable {
  private readonly cells: PlacedCell[] = [];
  private readonly omitted = new Map<string, string[]>();
  private readonly hiddenColumns = new Set<number>();
  private row = 0;
  private rowRepeats = 1;
  private rowCells: PlacedCell[] = [];
  private isRowHidden = false;
  private column = 0;
  private columnCount = 0;
  private cellRepeats = 1;
  private repeated = 0;

  beginColumn(attributes: Attributes): void {
    const count = countOf(attributes['table:number-columns-repeated']);
    const first = this.columnCount + 1;
    this.columnCount += count;
    const last = Math.min(MOST_COLUMNS, this.columnCount);
    if (isHidden(attributes))
      for (let column = first; column <= last; column++) this.hiddenColumns.add(column);
  }

  beginRow(attributes: Attributes): void {
    this.rowRepeats = countOf(attributes['table:number-rows-repeated']);
    this.isRowHidden = isHidden(attributes);
    this.column = 0;
    this.rowCells = [];
  }

  beginCell(attributes: Attributes): void {
    this.cellRepeats = countOf(attributes['table:number-columns-repeated']);
  }

  /** Ends a cell. @param markdown with `<br>` between lines */
  endCell(markdown: string, plain: string, isCovered: boolean): void {
    const first = this.column + 1;
    this.column += this.cellRepeats;
    if (markdown === '') return;
    const reason = this.isRowHidden ? 'hidden row' : isCovered ? 'covered cell' : null;
    if (reason !== null) return this.omit(reason, first, plain);
    const times = Math.min(this.cellRepeats, MOST_COLUMNS, 1 + Math.max(0, MOST_REPEATED - this.repeated));
    this.repeated += times - 1;
    for (let column = first; column < first + times; column++)
      if (this.hiddenColumns.has(column)) this.omit('hidden column', column, plain);
      else this.rowCells.push({ row: this.row + 1, column, markdown });
  }

  private omit(reason: string, column: number, plain: string): void {
    const words = this.omitted.get(reason) ?? [];
    this.omitted.set(reason, words);
    words.push(`${addressOf(this.row + 1, column)} ${plain.trim()}`);
  }

  endRow(): void {
    const { rowCells } = this;
    if (rowCells.length > 0) {
      const room = Math.floor(Math.max(0, MOST_REPEATED - this.repeated) / rowCells.length);
      const times = Math.min(this.rowRepeats, 1 + room);
      this.repeated += (times - 1) * rowCells.length;
      for (let time = 0; time < times; time++)
        for (const cell of rowCells) this.cells.push({ ...cell, row: cell.row + time });
    }
    this.row += this.rowRepeats;
    this.rowCells = [];
  }

  write(text: DocumentText): void {
    // Cells outside of rows.
    this.endRow();
    writeCells(text, this.cells);
    for (const [what, words] of this.omitted) text.leaveOut(what, words.join('; '));
  }
}

/** Returns how often an element repeats, at most the number of rows of a sheet. */
export const countOf = (value: string | undefined) => Math.max(1, Math.min(1_048_576, Number(value) || 1));

/** Returns whether a row or column is hidden or filtered. */
export const isHidden = (attributes: Attributes) =>
  (attributes['table:visibility'] ?? 'visible') !== 'visible';
