import { oneLine, withoutEnding } from '#contracts/text.js';
import { escapeInline } from '#markdown/escape.js';
import { DocumentText, type Item } from '../document-text.js';
import { gridOf, type SpanningCell } from '../html/table-grid.js';
import { leftOutMark } from '../left-out.js';
import { letterNumber, romanNumber } from '../number-formats.js';
import type { Label, Numbering } from '../numbering.js';
import { StyledText } from '../styled-text.js';
import type { RtfStyles } from './fonts.js';

/** Properties of a paragraph, which `\pard` resets. */
interface ParagraphProperties {
  style: number | null;
  /** Level as a heading from 1; 0 for none, null if the paragraph does not say. */
  heading: number | null;
  isInTable: boolean;
  list: number | null;
  level: number;
}

const PLAIN: ParagraphProperties = { style: null, heading: null, isInTable: false, list: null, level: 0 };

/** State that the stories of an RTF file share. */
interface RtfContext {
  styles: RtfStyles;
  /** Computes the numbers of items for which the file does not contain them as text. */
  numbering: Numbering;
}

/** Part of an RTF file's text during reading: the body, a note, text box, header or comment. */
export class RtfStory {
  readonly text = new DocumentText();
  inline = new StyledText();
  properties: ParagraphProperties = { ...PLAIN };
  /** Words that the document does not show, by reason. */
  readonly omitted = new Map<string, string>();
  row: RowDefinition = { borders: [], covered: new Set() };
  /** All words without Markdown, for a comment about the story. */
  plain = '';
  /** Number of the paragraph as the file shows it; null without a number. */
  private label: string | null = null;
  private readonly boxes: DocumentText[] = [];
  private cell: string[] = [];
  private cells: string[] = [];
  private rows: RtfRow[] = [];
  private contentsLines = 0;

  constructor(private readonly context: RtfContext) {}

  resetParagraph(): void {
    this.properties = { ...PLAIN };
  }

  /** Adds to the number of the current paragraph as the file shows it. */
  addLabel(text: string): void {
    this.label = (this.label ?? '') + text;
    this.plain += text;
  }

  /** Adds a text box, which follows the current paragraph. */
  addBox(box: DocumentText): void {
    this.boxes.push(box);
  }

  endParagraph(isCell = false): void {
    this.plain += ' ';
    const words = this.inline.takeLines();
    const item = this.takeItem(words.length > 0);
    // An item without words shows its number.
    const lines = words.length === 0 && item?.label.text ? [''] : words;
    const { isInTable } = this.properties;
    if (isCell || isInTable || this.isInRow()) this.addToCell(lines, item);
    else this.bodyParagraph(lines, item);
    for (const [what, words] of this.omitted) this.leaveOut(what, words);
    this.omitted.clear();
  }

  endCell(): void {
    this.endParagraph(true);
    this.cells.push(this.cell.splice(0).join('<br>'));
  }

  endRow(): void {
    if (this.cells.length === 0) return;
    this.rows.push({ cells: this.cells, definition: this.row });
    this.cells = [];
  }

  beginRowDefinition(): void {
    this.row = { borders: [], covered: new Set() };
  }

  /** Ends the story and returns its text. */
  end(): DocumentText {
    this.endParagraph();
    this.endRow();
    this.endTable();
    return this.text;
  }

  private isInRow(): boolean {
    return this.cells.length > 0;
  }

  private takeItem(isShown: boolean): Item | null {
    const { label } = this;
    const { list, level } = this.properties;
    this.label = null;
    if (label !== null) return { label: labelOf(label, level), level };
    return !isShown || list === null || list === 0
      ? null
      : { label: this.context.numbering.next(String(list), level), level };
  }

  private addToCell(lines: readonly string[], item: Item | null): void {
    const typed = item?.label.text ? `${escapeInline(item.label.text)} ` : '';
    if (lines.length > 0) this.cell.push(typed + lines.join('<br>'));
    for (const box of this.boxes.splice(0)) {
      const cell = DocumentText.forCell();
      cell.append(box);
      const { markdown, marks } = cell.takeCell();
      if (markdown !== '') this.cell.push(markdown);
      this.marks.push(...marks);
    }
  }

  private bodyParagraph(lines: readonly string[], item: Item | null): void {
    this.endRow();
    this.endTable();
    const style = this.context.styles.get(this.properties.style);
    const heading = this.properties.heading ?? style?.heading ?? 0;
    if (style?.isContents && lines.length > 0) this.contentsLines++;
    else if (lines.length > 0) {
      this.endContents();
      if (heading > 0) this.text.heading(heading, lines, item?.label.text);
      else this.text.paragraph(lines, item);
    }
    for (const box of this.boxes.splice(0)) this.text.append(box);
  }

  private endContents(): void {
    this.text.leaveOutContents(this.contentsLines);
    this.contentsLines = 0;
  }

  private leaveOut(what: string, words: string): void {
    if (this.rows.length > 0 || this.isInRow() || this.cell.length > 0)
      this.marks.push(leftOutMark(what, words));
    else this.text.leaveOut(what, words);
  }

  /** Comments about omitted words in a table, which follow it. */
  private readonly marks: string[] = [];

  private endTable(): void {
    this.endContents();
    if (this.rows.length > 0) this.text.table(gridOf(spanningCells(this.rows)));
    this.rows = [];
    // Words of a row that the file does not end.
    for (const line of this.cell.splice(0)) this.text.paragraph([line]);
    for (const mark of this.marks.splice(0)) this.text.lines([mark]);
  }
}

/** A sign such as `•`, or a symbol without a known character. */
const BULLET = /^(?:[^\p{L}\p{N}]|[o§]|\[[^\]]{0,60}\])?$/u;
const MOST_LETTERS = 5;

/** Returns the label of an item from its text in the file. @param level in its list; 0 is the outermost */
function labelOf(shown: string, level: number): Label {
  const text = oneLine(shown);
  if (BULLET.test(text)) return { text: '', value: 0 };
  return { text, value: valueOf(withoutEnding(text, '.'), level) };
}

function valueOf(text: string, level: number): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  if (level === 0 || text.length > MOST_LETTERS || !/^[a-z]+$/.test(text)) return 0;
  const name = level === 1 ? letterNumber : romanNumber;
  for (let value = 1; value < 100; value++) if (name(value) === text) return value;
  return 0;
}

/** Borders closer than this (in twips, 1/20 pt) are the same. */
const TOLERANCE = 60;
/** Tables with more different borders are read cell by cell. */
const MOST_BORDERS = 200;

/** The cells of a row as `\trowd` describes them. */
interface RowDefinition {
  /** Right border of each cell in twips. */
  borders: number[];
  /** Cells that continue the one above them, by index. */
  covered: Set<number>;
}

interface RtfRow {
  cells: string[];
  definition: RowDefinition;
}

/** Returns the cells of a table with the columns that they span. RTF only contains their positions on the page. */
function spanningCells(rows: readonly RtfRow[]): SpanningCell[][] {
  const borders = columnsOf(rows);
  return rows.map(({ cells, definition }) => {
    let column = 0;
    return cells.map((text, index) => {
      const border = definition.borders[index];
      const end = borders === null || border === undefined ? column + 1 : columnAt(borders, border);
      const columns = Math.max(1, end - column);
      column += columns;
      return { text, columns, rows: 1 };
    });
  });
}

/** Returns the right borders of the columns of a table; null for too many. */
function columnsOf(rows: readonly RtfRow[]): number[] | null {
  const all = new Set(rows.flatMap(({ definition }) => definition.borders));
  if (all.size > 20 * MOST_BORDERS) return null;
  const distinct: number[] = [];
  for (const border of [...all].sort((a, b) => a - b))
    if (distinct.length === 0 || border - distinct.at(-1)! > TOLERANCE) distinct.push(border);
  return distinct.length > MOST_BORDERS ? null : distinct;
}

/** Returns the number of columns that end at or before a border. */
const columnAt = (borders: readonly number[], border: number) =>
  borders.filter((each) => each <= border).length;
