import { largestSize } from './baselines.js';
import { readingBlocks } from './layout.js';
import { linesRunToLeft } from './line-direction.js';
import { linesOf } from './page.js';
import type { TextLine } from './text-line.js';
import { ruledTables, type RuledTable } from './ruled-tables.js';
import type { Rule } from './rules.js';
import { rowsOf, tablesIn } from './tables.js';
import type { TextPiece } from './text-piece.js';

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
  if (Math.abs(last.size - first.size) > first.size * 0.1 || !/^\p{Ll}/u.test(first.text)) return false;
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
export function oneLine(row: readonly TextLine[]): TextLine {
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
