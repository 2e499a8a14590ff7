import { inReadingOrder, oneLine } from './columns.js';
import { linesOf } from './page.js';
import type { TextLine } from './text-line.js';
import type { Rule } from './rules.js';
import { rowsOf } from './tables.js';
import type { Tag } from './tags.js';
import type { TextPiece } from './text-piece.js';

/** Mark of content that is not text of the document, such as a running head. */
const DECORATION = -1;
/** Share of the letters of a page that its tags have to cover. */
const LEAST_COVERED = 0.99;
/** Share of paragraphs that may begin within a sentence; some programs tag each line as a paragraph. */
const MOST_WITHIN = 0.5;
const SENTENCE_END = /[.!?:;…。！？)\]"”»]\s*$/u;

/** Text of a cell. */
interface Cell {
  tag: Tag;
  pieces: TextPiece[];
}

/**
 * Returns the lines of a page in the order of its tags, with headings, list items and tables as they are tagged; null if the tags do not cover the
 * text of the page. Text that is marked as decoration follows at the end.
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
function linesIn(pieces: readonly TextPiece[]): TextLine[] {
  return pieces.length === 0 ? [] : rowsOf(linesOf({ pieces: [...pieces] })).map(oneLine);
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
  return [...rows.values()].map((row) => rowLine(row));
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
    if (/^\s*\p{Ll}/u.test(text) && !SENTENCE_END.test(before.text)) within++;
  }
  return within <= starts * MOST_WITHIN;
}
