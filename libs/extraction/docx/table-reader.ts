import { leftOutMark } from '../left-out.js';
import { tableLines } from '../table.js';

/** Word's limit of columns. */
const MAX_COLUMNS = 63;

/** Collects the cells of a table, each in its column, while it is being read. Tables inside a cell are part of its text. */
export class TableReader {
  private depth = 0;
  private rows: string[][] = [];
  private cell: string[] = [];
  private columns = 1;
  private isCovered = false;
  /** Comments about omitted words, which follow the table. */
  readonly marks: string[] = [];

  get isReading(): boolean {
    return this.depth > 0;
  }

  begin(): void {
    this.depth++;
  }

  beginRow(): void {
    if (this.depth === 1) this.rows.push([]);
  }

  /** Reports a title or description of the table, which is not shown. */
  describe(words: string): void {
    if (words.trim() !== '') this.marks.push(leftOutMark('alternative text', words));
  }

  /** Applies a property of a row or cell; false for an unknown one. */
  setProperty(name: string, value: string): boolean {
    if (name === 'w:gridSpan') this.columns = Math.max(1, columnsOf(value));
    else if (name === 'w:vMerge') this.isCovered = value !== 'restart';
    else if (name === 'w:gridBefore' && this.depth === 1) this.rows.at(-1)?.push(...empty(columnsOf(value)));
    else return false;
    return true;
  }

  add(text: string): void {
    if (text !== '') this.cell.push(text.replace(/\n/g, '<br>'));
  }

  /** Ends a cell. The words of a merged cell are in its first place. */
  endCell(): void {
    if (this.depth !== 1) return;
    this.rows.at(-1)?.push(this.isCovered ? '' : this.cell.join('<br>'), ...empty(this.columns - 1));
    this.cell = [];
    this.columns = 1;
    this.isCovered = false;
  }

  /** Ends a table and returns its lines. Returns an empty list for an empty table and for a table in a cell. */
  end(): string[] {
    if (--this.depth > 0) return [];
    const rows = this.rows.filter((row) => row.length > 0);
    this.rows = [];
    return rows.length === 0 ? [] : tableLines(rows);
  }
}

const columnsOf = (value: string) => Math.min(MAX_COLUMNS, Number(value) || 0);
const empty = (count: number) => new Array<string>(count).fill('');
