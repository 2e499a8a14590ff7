import { escapeInline, escapeLineStart, escapeText } from '#markdown/escape.js';
import { gridOf, type SpanningCell } from './html/table-grid.js';
import { withBreaks, withoutBreaks } from './inline-text.js';
import { contentsMark, isMark, leftOutMark } from './left-out.js';
import { ListLevels, markerOf } from './list-levels.js';
import type { Label } from './numbering.js';
import { tableLines } from './table.js';

/** List item that a paragraph begins. */
export interface Item {
  label: Label;
  /** 0 is the outermost. */
  level: number;
}

interface OpenTable {
  rows: SpanningCell[][];
  cell: string[];
}

/**
 * Writes the blocks of a document as Markdown, in the order in which they are read. Inside a table, blocks become lines of the current cell; a
 * table inside a cell is part of its text.
 */
export class DocumentText {
  private readonly blocks: string[] = [];
  private readonly lists = new ListLevels();
  private readonly tables: OpenTable[] = [];
  private readonly marks: string[] = [];
  private readonly notes: string[] = [];
  private afterList = false;
  private lastNumber = 0;

  get isInTable(): boolean {
    return this.tables.length > 0;
  }

  get isEmpty(): boolean {
    return this.blocks.length + this.marks.length === 0;
  }

  /** Creates a text that collects its blocks as the lines of a single cell; `takeCell` returns them. */
  static forCell(): DocumentText {
    const text = new DocumentText();
    text.beginTable();
    return text;
  }

  /** @param lines Markdown, as from `StyledText.takeLines` */
  paragraph(lines: readonly string[], item: Item | null = null): void {
    if (lines.length === 0) return;
    const typed = item?.label.text ? `${escapeInline(item.label.text)} ` : '';
    if (this.addToCell(typed + lines.join('<br>'))) return;
    const [first = '', ...rest] = withBreaks(lines);
    if (item === null) return this.block([first, ...rest]);
    const { label, level } = item;
    const marker = markerOf(label, level, this.afterList ? this.lastNumber : null);
    if (marker === null) return this.block([escapeLineStart(typed + first), ...rest]);
    const continues = this.afterList;
    this.block([this.lists.prefix(level, marker, continues) + first], continues);
    for (const line of rest) this.blocks.push(this.lists.indent() + line);
    this.afterList = true;
    if (level === 0) this.lastNumber = label.value;
  }

  /** Adds a further paragraph to the last item, or a separate paragraph if the text does not end with an item. */
  continuation(lines: readonly string[]): void {
    if (!this.afterList || this.isInTable) return this.paragraph(lines);
    this.block(withBreaks(lines).map((line) => this.lists.indent() + line));
    this.afterList = true;
  }

  /** Like `paragraph`, for plain words instead of Markdown. */
  words(text: string, item: Item | null = null): void {
    const lines = escapeText(text)
      .split('\n')
      .filter((line) => line !== '');
    this.paragraph(lines, item);
  }

  /** @param level from 1; deeper ones than Markdown has become its deepest */
  heading(level: number, lines: readonly string[], label = ''): void {
    if (lines.length === 0) return;
    const text = (label === '' ? '' : `${escapeInline(label)} `) + lines.join(' ');
    if (!this.addToCell(text)) this.block([`${'#'.repeat(Math.max(1, Math.min(6, level)))} ${text}`]);
  }

  /** Adds a comment with omitted words after the current block or table. @param what kind of part, such as `comment` */
  leaveOut(what: string, words: string): void {
    if (words.trim() !== '') this.lines([leftOutMark(what, words)]);
  }

  /** Adds a comment about an omitted table of contents. */
  leaveOutContents(lines: number): void {
    if (lines > 0) this.lines([contentsMark(lines)]);
  }

  beginTable(): void {
    this.tables.push({ rows: [], cell: [] });
  }

  beginRow(): void {
    if (this.tables.length === 1) this.tables[0]!.rows.push([]);
  }

  /** Ends a cell. It contains the text added since the previous cell. */
  endCell(columns = 1, rows = 1): void {
    if (this.tables.length !== 1) return;
    const [table] = this.tables;
    table!.rows.at(-1)?.push({ text: table!.cell.splice(0).join('<br>'), columns, rows });
  }

  endTable(): void {
    const table = this.tables.pop();
    if (!table) return;
    if (this.isInTable) this.tables.at(-1)!.cell.push(...table.cell);
    else {
      // The words were outside of cells.
      if (table.cell.length > 0) table.rows.push([{ text: table.cell.join('<br>'), columns: 1, rows: 1 }]);
      this.table(gridOf(table.rows.filter((row) => row.length > 0)));
    }
  }

  /** Writes a whole table, the head first. Rows and columns without words are dropped. */
  table(rows: readonly string[][]): void {
    const filled = rows.filter((row) => row.some((cell) => cell !== ''));
    const used = new Set(filled.flatMap((row) => [...row.keys()].filter((column) => row[column] !== '')));
    const kept = filled.map((row) => row.filter((_, column) => used.has(column)));
    if (this.isInTable) for (const row of kept) this.addToCell(row.join(' '));
    else {
      if (kept.length > 0) this.block(tableLines(kept));
      for (const mark of this.marks.splice(0)) this.block([mark]);
    }
  }

  /** Writes a note after the document. @param label label by which the text refers to the note */
  note(label: string, note: DocumentText): void {
    const [first = '', ...rest] = note.takeLines();
    this.notes.push('', `[^${label}]: ${first}`);
    for (const line of rest) this.notes.push(line === '' ? '' : `    ${line}`);
  }

  /** Appends the blocks of another part of the document, such as a text box, inside the current cell or after the current block. */
  append(part: DocumentText): void {
    this.lines(part.takeLines());
  }

  /** Appends lines of Markdown. Comments about omitted words of a table follow the table. */
  lines(lines: readonly string[]): void {
    if (lines.length === 0) return;
    if (!this.isInTable) return this.block(lines);
    this.marks.push(...lines.filter(isMark));
    const words = lines.filter((line) => line !== '' && !isMark(line));
    this.addToCell(withoutBreaks(words).join('<br>'));
  }

  /** Ends the text of a cell and returns its words, with `<br>` between lines, and the comments about omitted ones. */
  takeCell(): { markdown: string; marks: string[] } {
    while (this.tables.length > 1) this.endTable();
    const markdown = (this.tables.pop()?.cell ?? []).join('<br>');
    return { markdown, marks: this.marks.splice(0) };
  }

  /** Removes and returns the lines so far, notes last. */
  takeLines(): string[] {
    while (this.isInTable) this.endTable();
    this.afterList = false;
    const lines = [...this.blocks.splice(0), ...this.notes.splice(0)];
    return lines[0] === '' ? lines.slice(1) : lines;
  }

  /** Returns the text with one line feed at its end, or ''. */
  take(): string {
    return joinedLines(this.takeLines());
  }

  private addToCell(text: string): boolean {
    if (text !== '') this.tables.at(-1)?.cell.push(text.replaceAll('\n', '<br>'));
    return this.isInTable;
  }

  private block(lines: readonly string[], tight = false): void {
    if (this.blocks.length > 0 && !tight) this.blocks.push('');
    for (const line of lines) this.blocks.push(line);
    this.afterList = false;
  }
}

/** Joins the lines of a document with at most one blank line in a row and one line feed at the end; '' without text. */
export function joinedLines(lines: readonly string[]): string {
  const text = lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  return text === '' ? '' : `${text}\n`;
}
