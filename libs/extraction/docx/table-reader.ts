import { leftOutMark } from '../left-out.js';
import { innerRow, tableLines } from '../table.js';

/** Word's limit of columns. */
const MAX_COLUMNS = 63;

/** A table while it is being read. */
interface OpenTable {
  rows: string[][];
  /** Paragraphs of the cell at hand. */
  cell: string[];
  columns: number;
  isCovered: boolean;
}

/**
 * Collects the cells of a table, each in its column, while it is being read. Each row of a table inside a cell is a line of that
 * cell.
 */
export class TableReader {
  private readonly open: OpenTable[] = [];
  /** Comments about omitted words, which follow the table. */
  readonly marks: string[] = [];

  get isReading(): boolean {
    return this.open.length > 0;
  }

  begin(): void {
    this.open.push({ rows: [], cell: [], columns: 1, isCovered: false });
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
    if (text !== '') this.open.at(-1)?.cell.push(text.replace(/\n/g, '<br>'));
  }

  /** Ends a cell. The words of a merged cell are in its first place. */
  endCell(): void {
    const table = this.open.at(-1);
    if (table === undefined) return;
    table.rows.at(-1)?.push(table.isCovered ? '' : table.cell.join('<br>'), ...empty(table.columns - 1));
    Object.assign(table, { cell: [], columns: 1, isCovered: false });
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
