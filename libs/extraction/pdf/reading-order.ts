import { startsSmall } from '#contracts/text.js';
import { readingBlocks } from './layout.js';
import { linesOf, type ShownPicture } from './page.js';
import type { Rule } from './rules.js';
import { rowsOf, type RuledTable, ruledTables, tablesIn } from './tables.js';
import type { Tag } from './tags.js';
import { baselineRows, largestSize, linesRunToLeft, type TextLine, type TextPiece } from './text-line.js';

/** Maximum size of a footnote's letters relative to the text above it. */
const NOTE = 0.93;
/** Beginning of a footnote: its number or sign. */
const NOTE_MARK = /^[\d*†‡§¶#⁰¹²³⁴⁵⁶⁷⁸⁹^([]/u;
/** End of a sentence, also before a note mark or a quotation mark. */
const SENTENCE_END = /[.!?:;…。！？][\p{P}⁰¹²³⁴⁵⁶⁷⁸⁹]{0,8}$/u;
const HYPHEN_END = /[-\u2010\u00ad]$/u;

/** Lines of a block and the footnotes at its foot. */
interface Flow {
  lines: TextLine[];
  notes: TextLine[];
}

/**
 * Returns the lines of a page in reading order. The left column is first, up to a line that spans both.
 * Footnotes and sidebars that interrupt a sentence follow the block in which it continues.
 *
 * @param rules thin lines of the page, from which tables with borders are recognized
 */
export function inReadingOrder(pieces: readonly TextPiece[], rules: readonly Rule[] = []): TextLine[] {
  const tables = ruledTables(pieces, rules);
  // The layout represents each row of a table by an empty piece as wide as the table.
  const tableOf = new Map(
    tables.flatMap((table) => rowPieces(table).map((piece): [TextPiece, RuledTable] => [piece, table])),
  );
  const isInTable = (piece: TextPiece) => tables.some((table) => table.pieces.has(piece));
  const blocks = readingBlocks([...pieces.filter((piece) => !isInTable(piece)), ...tableOf.keys()]);
  const lines = blocks.map((block, at) => {
    const own = new Set(block.flatMap((piece) => tableOf.get(piece) ?? []));
    const words = linesOf({ pieces: block.filter((piece) => !tableOf.has(piece)) });
    const firstTable = (at + 1) * (pieces.length + 1);
    return withTables(joined(words, firstTable), [...own], (table) => tables.indexOf(table));
  });
  const flows = withoutInterruptions(lines.map(withNotes));
  const ordered: TextLine[] = [];
  let notes: TextLine[] = [];
  flows.forEach((flow, at) => {
    ordered.push(...flow.lines);
    notes.push(...flow.notes);
    const next = flows[at + 1];
    if (next && runsOn(flow, next)) return;
    ordered.push(...notes);
    notes = [];
  });
  return ordered;
}

const rowPieces = ({ x, right, middles }: RuledTable): TextPiece[] =>
  middles.map((y) => ({ text: '', x, y, width: right - x, size: 1, bold: false }));

/** Inserts the rows of bordered tables between the lines of a block, by position. */
function withTables(
  lines: readonly TextLine[],
  tables: readonly RuledTable[],
  numberOf: (table: RuledTable) => number,
): TextLine[] {
  const all = [...lines];
  for (const table of tables) {
    const size = largestSize(table.pieces);
    const rows = table.rows.map((cells, at): TextLine => {
      const { x, right } = table;
      const row = { cells, table: numberOf(table) };
      return {
        text: cells.join(' '),
        x,
        right,
        y: table.middles[at]!,
        size,
        bold: false,
        parts: [],
        pieces: [],
        row,
      };
    });
    const next = all.findIndex(({ y }) => y < table.top);
    all.splice(next < 0 ? all.length : next, 0, ...rows);
  }
  return all;
}

/**
 * Inserts pictures into the lines of a page: before the first line below them that they share a place with, but not within a sentence.
 *
 * @param lines in reading order; changed in place
 */
export function withPictures(lines: TextLine[], pictures: readonly ShownPicture[]): void {
  for (const { x, right, y, top, markdown } of [...pictures].sort((a, b) => b.top - a.top)) {
    const isBelow = (line: TextLine) =>
      line.picture === undefined && line.y < (y + top) / 2 && line.x < right && line.right > x;
    let at = lines.findIndex(isBelow);
    if (at < 0) at = lines.length;
    while (at > 0 && at < lines.length && isWithin(lines[at - 1]!, lines[at]!)) at++;
    const place = { x, right, y, size: 1, bold: false, parts: [], pieces: [] };
    lines.splice(at, 0, { ...place, text: '', picture: markdown });
  }
}

/** Returns whether a line continues the text or the table of the line before it. */
const isWithin = (before: TextLine, line: TextLine): boolean =>
  (before.row !== undefined && before.row.table === line.row?.table) ||
  (/^\P{L}{0,3}\p{Ll}/u.test(line.text) && !SENTENCE_END.test(before.text.trimEnd()));

/** Separates the footnotes at the foot of a block. */
function withNotes(lines: TextLine[]): Flow {
  let from = lines.length;
  let first = from;
  const size = largestSize(lines);
  while (from > 0 && lines[from - 1]!.size <= size * NOTE && !lines[from - 1]!.row) {
    from--;
    if (NOTE_MARK.test(lines[from]!.text)) first = from;
  }
  if (first === 0 || from === 0) return { lines, notes: [] };
  return {
    lines: lines.slice(0, first),
    notes: lines.slice(first).map((line) => ({ ...line, isNote: true })),
  };
}

/** Moves a block that interrupts a sentence to after the block in which the sentence continues. */
function withoutInterruptions(flows: Flow[]): Flow[] {
  const ordered = [...flows];
  for (let at = 0; at + 2 < ordered.length; at++) {
    const [own, between, next] = [ordered[at]!, ordered[at + 1]!, ordered[at + 2]!];
    const isHeading = between.lines.some(({ size }) => size > own.lines.at(-1)!.size * 1.05);
    if (!isHeading && !runsOn(own, between) && runsOn(own, next) && !runsOn(between, next))
      [ordered[at + 1], ordered[at + 2]] = [next, between];
  }
  return ordered;
}

/** Returns whether a sentence at the end of one block continues in another. */
function runsOn({ lines: own }: Flow, { lines: next }: Flow): boolean {
  const [last, first] = [own.at(-1), next[0]];
  if (!last || !first || last.row || first.row) return false;
  if (Math.abs(last.size - first.size) > first.size * 0.1 || !startsSmall(first.text)) return false;
  const end = last.text.trimEnd();
  return HYPHEN_END.test(end) || !SENTENCE_END.test(end);
}

/**
 * Merges lines of a block that are far apart on one baseline into table rows or single lines.
 *
 * @param firstTable number of the block's first table on the page
 */
function joined(lines: readonly TextLine[], firstTable: number): TextLine[] {
  const rows = rowsOf(lines);
  const tables = tablesIn(rows);
  const ordered: TextLine[] = [];
  for (let at = 0; at < rows.length; at++) {
    const table = tables.findIndex(({ from }) => from === at);
    if (table < 0) {
      ordered.push(oneLine(rows[at]!));
      continue;
    }
    const { cells, to } = tables[table]!;
    const turned = runsAgainstPage(rows.slice(at, to).flat());
    for (const texts of cells) {
      const own = turned ? texts.toReversed() : texts;
      ordered.push({
        ...oneLine(rows[at]!),
        text: own.join(' '),
        row: { cells: own, table: firstTable + table },
      });
    }
    at = to - 1;
  }
  return ordered;
}

/** Merges lines on one baseline. */
function oneLine(row: readonly TextLine[]): TextLine {
  const turned = row.length > 1 && runsAgainstPage(row);
  return row.reduce((line, next) => ({
    ...line,
    text: (turned ? [next.text, line.text] : [line.text, next.text]).map((text) => text.trim()).join(' '),
    right: next.right,
    parts: [...line.parts, ...next.parts],
    size: Math.max(line.size, next.size),
    // A heading is never spread over several places.
    bold: false,
  }));
}

/** Returns whether lines run in another direction than the page; their positions are measured from the page's start edge. */
function runsAgainstPage(lines: readonly TextLine[]): boolean {
  const pieces = lines.flatMap((line) => line.pieces);
  return linesRunToLeft(pieces) !== (pieces[0]?.mirrored ?? false);
}

/** Mark of content that is not text of the document, such as a running head. */
const DECORATION = -1;
/** Share of the letters of a page that its tags have to cover. */
const LEAST_COVERED = 0.99;
/** Minimum distance to the top of the next column, in font sizes; a raised letter is nearer. */
const UP = 2;
/** Share of paragraphs that may begin within a sentence; some programs tag each line as a paragraph. */
const MOST_WITHIN = 0.5;
const TAG_END = /[.!?:;…。！？)\]"”»]\s*$/u;

/** Text of a cell. */
interface Cell {
  tag: Tag;
  pieces: TextPiece[];
}

/**
 * Returns the lines of a page in the order of its tags, with headings, list items and tables as they are tagged; null if the tags do not cover the
 * text of the page, or if a single one does: some programs tag the page as one paragraph. Text that is marked as decoration follows at the end.
 *
 * @param rules thin lines of the page, for tables of which the tags do not say the columns
 */
export function taggedLines(
  pieces: readonly TextPiece[],
  tags: readonly Tag[],
  rules: readonly Rule[] = [],
): TextLine[] | null {
  const tagOf = new Map(tags.flatMap((tag) => tag.marks.map((mark): [number, Tag] => [mark, tag])));
  const byTag = new Map<Tag, TextPiece[]>(tags.map((tag) => [tag, []]));
  const rest: TextPiece[] = [];
  for (const piece of pieces) (byTag.get(tagOf.get(piece.mark ?? DECORATION)!) ?? rest).push(piece);
  const untagged = lettersOf(rest.filter(({ mark }) => mark !== DECORATION));
  if (untagged > lettersOf(pieces) * (1 - LEAST_COVERED) || rest.length === pieces.length) return null;
  const [only] = tags.filter((tag) => byTag.get(tag)!.length > 0);
  const isWhole = only?.what === 'text' && byTag.get(only)!.length === pieces.length - rest.length;
  if (isWhole && baselineRows(byTag.get(only)!).length > 1) return null;
  const lines: TextLine[] = [];
  for (let at = 0; at < tags.length; at++) {
    const tag = tags[at]!;
    if (!tag.cell) {
      lines.push(...linesIn(byTag.get(tag)!).map((line) => ({ ...line, tag })));
      continue;
    }
    const { table } = tag.cell;
    const cells = tags.slice(at).filter(({ cell }) => cell?.table === table);
    lines.push(
      ...tableIn(
        cells.map((own) => ({ tag: own, pieces: byTag.get(own)! })),
        rules,
      ),
    );
    at += cells.length - 1;
  }
  return areParagraphs(lines) ? [...lines, ...inReadingOrder(rest)] : null;
}

const lettersOf = (pieces: readonly TextPiece[]): number =>
  pieces.reduce((sum, { text }) => sum + text.length, 0);

/** Lines of one text; words far apart on one baseline are one line. */
const linesIn = (pieces: readonly TextPiece[]): TextLine[] =>
  columnsOf(pieces).flatMap((column) => rowsOf(linesOf({ pieces: column })).map(oneLine));

/** Divides one text, in drawing order, where it continues at the top of the next column. */
function columnsOf(pieces: readonly TextPiece[]): TextPiece[][] {
  const columns: TextPiece[][] = [];
  let last: TextPiece | undefined;
  for (const piece of pieces) {
    const goesUp = last && piece.y - last.y > last.size * UP && piece.x >= last.x + last.width;
    if (!last || goesUp) columns.push([piece]);
    else columns.at(-1)!.push(piece);
    last = piece;
  }
  return columns;
}

/** Returns the rows of a table, or its lines as they are laid out if cells are missing: the tree does not list empty ones. */
function tableIn(cells: readonly Cell[], rules: readonly Rule[]): TextLine[] {
  const rows = new Map<number, Cell[]>();
  for (const cell of cells) {
    const { row } = cell.tag.cell!;
    const own = rows.get(row);
    if (own) own.push(cell);
    else rows.set(row, [cell]);
  }
  const [first = [], ...others] = rows.values();
  if (others.some((row) => row.length !== first.length))
    return inReadingOrder(
      cells.flatMap(({ pieces }) => pieces),
      rules,
    );
  return [...rows.values()].map((row) => rowLine(fromTheLeft(row)));
}

/** Returns the cells of a row as they are placed, because some programs tag them in another order. Empty cells stay where they are. */
function fromTheLeft(row: readonly Cell[]): Cell[] {
  const placed = row
    .filter(({ pieces }) => pieces.length > 0)
    .sort((a, b) => a.pieces[0]!.x - b.pieces[0]!.x);
  return row.map((cell) => (cell.pieces.length > 0 ? placed.shift()! : cell));
}

function rowLine(row: readonly Cell[]): TextLine {
  const texts = row.map(({ pieces }) =>
    linesIn(pieces)
      .map(({ text }) => text.trim())
      .join(' '),
  );
  const { tag, pieces } = row[0]!;
  const { x = 0, right = 0, y = 0, size = 1 } = linesIn(pieces)[0] ?? {};
  const { table } = tag.cell!;
  return {
    text: texts.join(' '),
    x,
    right,
    y,
    size,
    bold: false,
    parts: [],
    pieces: [],
    row: { cells: texts, table },
    tag,
  };
}

/** Returns whether few paragraphs begin within a sentence. */
function areParagraphs(lines: readonly TextLine[]): boolean {
  let [starts, within] = [0, 0];
  for (const [at, { tag, text }] of lines.entries()) {
    const before = lines[at - 1];
    if (tag?.what !== 'text' || before?.tag?.what !== 'text' || before.tag === tag) continue;
    starts++;
    if (/^\s*\p{Ll}/u.test(text) && !TAG_END.test(before.text)) within++;
  }
  return within <= starts * MOST_WITHIN;
}
