import { plainText } from '../../structure/text.js';
import type { Block, Inline, TableBlock } from '#contracts/structure.js';
import { tableParts, type TablePart } from '../../structure/wide-tables.js';
import type { WriteContext } from './context.js';
import { isRightToLeft, isTableRightToLeft, type InlineWriter } from './inlines.js';
import type { ParagraphExtra } from './paragraph-properties.js';
import { escapeAttribute } from './xml.js';

/** Width of a letter of table text, and of small table text, in twentieths of a point. */
const LETTER = 115;
const SMALL_LETTER = 90;
/** Maximum number of columns in letters of the usual size. */
const MAX_USUAL = 8;
const CELL_SIDES = 220;
/** Number of rows measured to determine the column widths. */
const SAMPLE_ROWS = 300;
const MIN_COLUMN = 360;
/** Maximum number of rows of a table that is kept on one page. */
const SHORT = 8;

/** Functions of a part's writer that tables use. */
interface TableWriter {
  readonly context: WriteContext;
  readonly inlines: InlineWriter;
  paragraph(style: string, content: string, extra: ParagraphExtra): string;
}

/**
 * Writes a table that fits the page: header rows repeat, column widths follow the content, each column has
 * its alignment.
 */
export function tableXml(part: TablePart, writer: TableWriter, indent: number): string {
  const { table: block } = part;
  const { context } = writer;
  const room = Math.max(2000, context.textWidth - indent);
  const { widths, letters } = fittedTable(block, room);
  const total = widths.reduce((sum, width) => sum + width, 0);
  const header = block.rows[0]?.header ?? false;
  const grid = widths.map((width) => `<w:gridCol w:w="${width}"/>`).join('');
  const style = letters < 1 ? 'Table Text Small' : 'Table Text';
  const body = block.rows.findIndex((row) => !row.header);
  const heads = body < 0 ? block.rows.length : body;
  const rows = block.rows.map((row, i) => {
    // Keep head lines with the first row.
    const keepNext = i < block.rows.length - 1 && (i < heads || block.rows.length <= SHORT);
    const cells = row.cells.map((cell, column) => {
      const width = widths[column] ?? MIN_COLUMN;
      const mark = column === 0 ? rowMark(block, i, context) : '';
      const content = mark + writer.inlines.cell(cell, context.textWidth - width + 200);
      const align = block.align[column] ?? undefined;
      const text = writer.paragraph(style, content, { keepNext, rtl: isRightToLeft(cell), align });
      return `<w:tc><w:tcPr><w:tcW w:w="${width}" w:type="dxa"/></w:tcPr>${text}</w:tc>`;
    });
    return `<w:tr><w:trPr><w:cantSplit/>${i < heads ? '<w:tblHeader/>' : ''}</w:trPr>${cells.join('')}</w:tr>`;
  });
  const caption = block.caption ? `<w:tblCaption w:val="${escapeAttribute(plainText(block.caption))}"/>` : '';
  return (
    `<w:tbl><w:tblPr><w:tblStyle w:val="${context.styles.id('Scriptorium Table')}"/>${isTableRightToLeft(block) ? '<w:bidiVisual/>' : ''}<w:tblW w:w="${total}" w:type="dxa"/>` +
    `${indent > 0 ? `<w:tblInd w:w="${indent}" w:type="dxa"/>` : ''}<w:tblLayout w:type="fixed"/>` +
    `<w:tblLook w:val="${header ? '0420' : '0400'}" w:firstRow="${header ? 1 : 0}" w:lastRow="0" w:firstColumn="0" w:lastColumn="0" w:noHBand="0" w:noVBand="1"/>${caption}${description(part)}</w:tblPr>` +
    `<w:tblGrid>${grid}</w:tblGrid>${rows.join('')}</w:tbl>`
  );
}

/** Marks a row of a Markdown table, whose second line only aligns the columns. */
function rowMark({ line, end_line }: TableBlock, row: number, context: WriteContext): string {
  const at = row === 0 ? line : line + row + 1;
  return at > end_line ? '' : context.placeXml(at);
}

/** Labels a part of a table as such, for the DOCX reader and as alternative text. */
function description({ first, last, all }: TablePart): string {
  return last - first + 1 === all ? '' : `<w:tblDescription w:val="columns ${first}-${last} of ${all}"/>`;
}

/** Width of bold letters, including capitals, relative to regular ones. */
const BOLD = 1.25;
/** Width of an image, in letters. */
const IMAGE_LETTERS = 22;

function holdsImage(content: readonly Inline[]): boolean {
  return content.some(
    (inline) => inline.type === 'image' || (inline.type === 'link' && holdsImage(inline.content)),
  );
}

/** Scales the widths to integers with a sum of at most `room`. */
function shrunk(widths: readonly number[], room: number): number[] {
  const total = widths.reduce((sum, width) => sum + width, 0);
  return widths.map((width) => Math.floor(width * Math.min(1, room / total)));
}

interface WantedWidth {
  /** Width of the whole text on one line, and of the longest word. */
  text: number;
  word: number;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

function wantedWidths(block: TableBlock, letter: number): WantedWidth[] {
  const rows = block.rows.slice(0, SAMPLE_ROWS);
  return block.align.map((_, column) => {
    let longest = 1;
    let word = 1;
    for (const row of rows) {
      const cell = row.cells[column] ?? [];
      if (holdsImage(cell)) word = longest = Math.max(longest, IMAGE_LETTERS);
      const text = plainText(cell);
      const bold = row.header ? BOLD : 1;
      longest = Math.max(longest, Math.min(60, text.length * bold));
      for (const part of text.split(/\s+/)) word = Math.max(word, Math.min(24, part.length * bold));
    }
    return { text: CELL_SIDES + longest * letter, word: CELL_SIDES + word * letter };
  });
}

/** Returns whether a column of the table would be narrower than its longest word. */
const breaksWords = (table: TableBlock, room: number, letter: number): boolean =>
  sum(wantedWidths(table, letter).map(({ word }) => word)) > room;

/** Only small letters keep words unbroken in many columns. */
const hasSmallText = (table: TableBlock, room: number): boolean =>
  table.align.length > MAX_USUAL || breaksWords(table, room, LETTER);

/**
 * Returns whether a block is a table for a landscape page, or a heading above one: words would be broken on an upright
 * page, but not or less on a landscape page.
 */
export function needsLandscape(blocks: readonly Block[], at: number, uprightRoom: number): boolean {
  while (blocks[at]?.type === 'heading') at++;
  const block = blocks[at];
  return (
    block?.type === 'table' &&
    tableParts(block).some(({ table }) =>
      breaksWords(table, uprightRoom, table.align.length > MAX_USUAL ? SMALL_LETTER : LETTER),
    )
  );
}

/**
 * Returns the column widths of a table, and the share of the usual size that its letters have.
 *
 * @param shrinks whether letters may be smaller than small ones, down to half, to keep words unbroken
 */
export function fittedTable(block: TableBlock, room: number, shrinks = false) {
  let letter = hasSmallText(block, room) ? SMALL_LETTER : LETTER;
  const sides = CELL_SIDES * block.align.length;
  const words = sum(wantedWidths(block, letter).map(({ word }) => word)) - sides;
  if (shrinks) letter *= Math.min(1, Math.max((0.5 * LETTER) / letter, (room - sides) / words));
  return { widths: columnWidths(block, room, letter), letters: letter / LETTER };
}

/**
 * Computes column widths from each column's longest words and amount of text; their sum is at most `room`.
 */
function columnWidths(block: TableBlock, room: number, letter = LETTER): number[] {
  const wants = wantedWidths(block, letter);
  const natural = sum(wants.map((want) => want.text));
  if (natural <= room) {
    // A table that nearly fills the page is stretched; a small one stays small.
    const stretch = natural > room * 0.55 ? room / natural : 1;
    return wants.map((want) => Math.floor(want.text * stretch));
  }
  const least = sum(wants.map((want) => want.word));
  if (least >= room)
    return shrunk(
      wants.map((want) => Math.max(Math.min(MIN_COLUMN, room / wants.length), (want.word * room) / least)),
      room,
    );
  const spare = sum(wants.map((want) => want.text - want.word));
  return wants.map((want) =>
    Math.floor(want.word + ((want.text - want.word) * (room - least)) / Math.max(1, spare)),
  );
}
