import { oneLine } from '#contracts/text.js';
import type { Inventory, UncarriedPiece } from '#contracts/inventory.js';
import { piecePhrase, reasonPhrase } from '#contracts/ledger-phrases.js';
import { extractedWords, type ReportedWords } from './extracted-text.js';
import {
  chooseSurplus,
  type CountedText,
  countWords,
  JoinedWords,
  NO_WORDS,
  OpenReports,
  runsOf,
  settleJoined,
  WordTable,
} from './word-table.js';
import type { Piece } from './piece.js';
import { type WordRules, wordsOf } from './words.js';

/** Maximum number of listed pieces of each outcome. */
const MAX_ENTRIES = 50;
const MAX_WORDS = 120;
/** Longest word that can be the symbols of a formula, such as `2πeσ`. */
const LONGEST_SYMBOL = 4;
/** Added to the number of words of a version that the text shows in full. */
const WHOLE = 1e12;

/** Rules for comparing the text of a file with its pieces. */
interface AccountOptions extends WordRules {
  /** False for a text that is carried unchanged, such as CSV. */
  isMarkdown: boolean;
}

interface CountedPiece extends CountedText {
  piece: Piece;
  /** Positions of words that the text does not show. */
  missing: readonly number[];
  /** Kind of part, if the text reports words of the piece as left out; otherwise null. */
  reported: string | null;
  /** Positions of the words that it reports; empty if the whole piece is reported. */
  reportedAt: readonly number[];
  /** Whether it is a cell of a row whose cells the text shows in another order. */
  isDisordered: boolean;
  /** Reason why the text need not carry the piece; null if it must. */
  again: string | null;
}

/**
 * Compares the pieces of a file with the extracted text. Words are counted, so that the loss of one among equal
 * paragraphs is noticed. Pieces without words (only white space or punctuation) are not counted. Time grows linearly
 * with both.
 *
 * @param pieces all pieces of the file, in the order of the file
 * @param extracted text of the file, with comments about omitted parts
 */
export function accountFor(pieces: readonly Piece[], extracted: string, options: AccountOptions): Inventory {
  const text = extractedWords(extracted, options.isMarkdown, options);
  const table = new WordTable();
  const lines = text.shown.map((words): CountedText => ({ words, ids: table.idsOf(words) }));
  const hidden = table.idsOf(text.hidden);
  const counted = pieces
    .map((piece) => countedPiece(piece, table, options))
    .filter(({ words }) => words.length > 0);
  const supply = countWords(lines, table.size);
  const known = Uint8Array.from(supply, (count) => Number(count > 0));
  for (const id of hidden) known[id] = 1;
  chooseVersions(counted, supply, known);
  if (text.leavesOutContents) reportContents(counted);
  const wanting = counted.filter(({ again, reported }) => again === null && reported === null);
  const demand = countWords(wanting, table.size);
  const inFile = settleJoined(wanting, table, { own: demand, other: supply });
  const inText = settleJoined(lines, table, { own: supply, other: demand });
  const missing = chooseSurplus(wanting, excess(demand, supply), inFile);
  wanting.forEach((piece, index) => (piece.missing = missing[index]!));
  takeReported(wanting, text.reported);
  takeAddresses(wanting, text.hidden);
  const rest = takeJoined(wanting, lines, chooseSurplus(lines, excess(supply, demand), inText));
  if (!options.knowsRaised) takeSymbols(wanting, rest);
  for (const cell of disorderedCells(wanting, lines)) cell.isDisordered = true;
  return inventoryOf(counted);
}

function countedPiece(piece: Piece, table: WordTable, options: AccountOptions): CountedPiece {
  const words = piece.isMarkdown
    ? extractedWords(piece.text, true, options).shown.flat()
    : wordsOf(piece.text, options);
  return {
    piece,
    words,
    ids: table.idsOf(words),
    missing: NO_WORDS,
    reported: null,
    reportedAt: NO_WORDS,
    isDisordered: false,
    again: piece.again ?? null,
  };
}

/**
 * Chooses a version from each group: preferably a version that the text shows in full, otherwise the version of which
 * it shows the most words. Among ties, and among fully shown generated versions, chooses the first.
 */
function chooseVersions(counted: readonly CountedPiece[], supply: Int32Array, known: Uint8Array): void {
  const groups = new Map<string, Map<string, number>>();
  for (const { piece, ids } of counted) {
    if (!piece.alternative) continue;
    const { group, version, isGenerated } = piece.alternative;
    const versions = groups.get(group) ?? new Map<string, number>();
    const shown = ids.filter((id) => supply[id]! > 0).length;
    const before = versions.get(version) ?? WHOLE;
    const isWhole = shown === ids.length && before >= WHOLE;
    const score = isWhole && isGenerated ? WHOLE : (before % WHOLE) + shown + (isWhole ? WHOLE : 0);
    groups.set(group, versions.set(version, score));
  }
  const best = new Map(
    [...groups].map(([group, versions]) => [
      group,
      [...versions].reduce((first, other) => (other[1] > first[1] ? other : first))[0],
    ]),
  );
  for (const each of counted) {
    const { alternative } = each.piece;
    const chosen = alternative && best.get(alternative.group);
    if (!alternative || alternative.version === chosen) continue;
    // A page shows an address without its scheme.
    const isKnown = each.ids.every((id, at) => known[id] === 1 || /^https?$/.test(each.words[at]!));
    if (alternative.isGenerated || isKnown) each.again = `the ${chosen} is used`;
  }
}

function reportContents(counted: readonly CountedPiece[]): void {
  for (const each of counted) if (each.piece.isContents) each.reported = 'table of contents';
}

/**
 * Marks missing words that the text reports as omitted, also if it joins or splits them. Each reported word counts
 * once.
 */
function takeReported(wanting: readonly CountedPiece[], reported: readonly ReportedWords[]): void {
  const open = new OpenReports(reported);
  for (const piece of wanting) {
    const at = open.reportOf(piece.missing.map((position) => piece.words[position]!));
    piece.missing = piece.missing.filter((position) => {
      const kind = open.take(piece.words[position]!, at);
      if (kind === null) return true;
      setReported(piece, kind, [position]);
      return false;
    });
  }
  takeReportedJoined(wanting, reported, (word) => open.has(word));
}

function setReported(piece: CountedPiece, kind: string, positions: readonly number[]): void {
  piece.reported ??= kind;
  piece.reportedAt = [...piece.reportedAt, ...positions];
}

function takeReportedJoined(
  wanting: readonly CountedPiece[],
  reported: readonly ReportedWords[],
  isOpen: (word: string) => boolean,
): void {
  const wanted = wanting.filter(({ missing }) => missing.length > 0);
  if (wanted.length === 0) return;
  const left = new JoinedWords(reported.map(({ words }) => words.filter(isOpen)));
  for (const piece of wanted)
    piece.missing = runsOf(piece, piece.missing).flatMap(({ joined, at }) => {
      const run = left.take(joined);
      if (run === null) return at;
      setReported(piece, reported[run]!.kind, at);
      return [];
    });
}

/** Takes missing words that the text joins or splits otherwise. Returns the letters that it has left. */
function takeJoined(
  wanting: readonly CountedPiece[],
  lines: readonly CountedText[],
  surplus: (readonly number[])[],
): string {
  const open = wanting.filter(({ missing }) => missing.length > 0);
  if (open.length === 0) return '';
  const runs = lines.flatMap((line, index) =>
    runsOf(line, surplus[index]!).map(({ at }) => at.map((position) => line.words[position]!)),
  );
  const joined = new JoinedWords(runs);
  for (const piece of open)
    piece.missing = runsOf(piece, piece.missing).flatMap((run) =>
      joined.take(run.joined) === null ? run.at : [],
    );
  return joined.rest();
}

/**
 * Takes missing words of an address from the targets of links: a version of a text shows an address that the version in use has in a link.
 * Each word counts once.
 */
function takeAddresses(wanting: readonly CountedPiece[], hidden: readonly string[]): void {
  const open = countsOf(hidden);
  if (wanting.some(({ piece }) => piece.alternative))
    for (const piece of wanting)
      piece.missing = piece.missing.filter((at) => !takeOne(open, piece.words[at]!));
}

/**
 * Takes the symbols of formulas from letters that the text has left. A PDF draws a formula in any order, so that the file and the text join
 * different ones to words.
 *
 * @param rest letters of the text that no word of the file needs
 */
function takeSymbols(wanting: readonly CountedPiece[], rest: string): void {
  const open = countsOf(rest);
  for (const piece of wanting)
    piece.missing = piece.missing.filter((at) => {
      const word = [...piece.words[at]!];
      const isLeft = [...countsOf(word)].every(([letter, count]) => (open.get(letter) ?? 0) >= count);
      if (word.length > LONGEST_SYMBOL || !isLeft) return true;
      for (const letter of word) takeOne(open, letter);
      return false;
    });
}

function countsOf(each: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const one of each) counts.set(one, (counts.get(one) ?? 0) + 1);
  return counts;
}

function takeOne(counts: Map<string, number>, one: string): boolean {
  const count = counts.get(one) ?? 0;
  if (count > 0) counts.set(one, count - 1);
  return count > 0;
}

/** Returns by how much each count is higher than another one. */
const excess = (counts: Int32Array, others: Int32Array): Int32Array =>
  counts.map((count, id) => Math.max(0, count - others[id]!));

function inventoryOf(all: readonly CountedPiece[]): Inventory {
  const counted = all.filter(({ piece, again }) => again === null || !piece.alternative?.isForm);
  const isLost = ({ missing, isDisordered }: CountedPiece) => missing.length > 0 || isDisordered;
  const lost = counted.filter(isLost);
  const leftOut = counted.filter((each) => !isLost(each) && each.reported !== null);
  const twice = counted.filter(({ again }) => again !== null);
  const entries = (
    from: CountedPiece[],
    outcome: UncarriedPiece['outcome'],
    reason: (of: CountedPiece) => string,
  ) =>
    from.slice(0, MAX_ENTRIES).map((each) => ({
      ...describePlace(storable(each.piece.place)),
      outcome,
      words: shortened(wordsFor(each, outcome)),
      ...describeReason(storable(reason(each))),
    }));
  return {
    pieces: counted.length,
    carried: counted.length - lost.length - leftOut.length - twice.length,
    said_twice: twice.length,
    left_out: leftOut.length,
    lost: lost.length,
    entries: [
      ...entries(lost, 'lost', missingReason),
      ...entries(leftOut, 'left_out', ({ reported }) => reported ?? ''),
      ...entries(twice, 'said_twice', ({ again }) => again ?? ''),
    ],
  };
}

function describePlace(place: string): Pick<UncarriedPiece, 'place' | 'place_phrase'> {
  const found = piecePhrase(place);
  return { place, ...(found && { place_phrase: found }) };
}

function describeReason(reason: string): Pick<UncarriedPiece, 'reason' | 'reason_phrase'> {
  const found = reasonPhrase(reason);
  return { reason, ...(found && { reason_phrase: found }) };
}

/** Returns the words that an entry is about: of a piece that is left out in part, only those. */
function wordsFor({ piece, words, reportedAt }: CountedPiece, outcome: UncarriedPiece['outcome']): string {
  if (outcome !== 'left_out' || reportedAt.length === 0 || reportedAt.length === words.length)
    return piece.text;
  return [...reportedAt]
    .sort((a, b) => a - b)
    .map((at) => words[at]!)
    .join(' ');
}

function missingReason({ words, missing }: CountedPiece): string {
  if (missing.length === 0) return 'cells in another order than in the file';
  if (missing.length === words.length) return 'missing from the text';
  return `missing from the text: ${shortened(missing.map((at) => words[at]!).join(' '))}`;
}

function shortened(text: string): string {
  const line = oneLine(text.slice(0, MAX_WORDS * 4));
  return storable(line.length > MAX_WORDS ? `${line.slice(0, MAX_WORDS).trimEnd()}…` : line);
}

/** Removes NUL characters and halves of characters, which PostgreSQL does not store. */
const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed();

/** Cells of one row of a table, in the order of the file. */
type Row = (CountedText & { piece: Piece })[];

/** Most cells whose order is compared, and the most words of a line. */
const MOST_CELLS = 1_000;
const MOST_WORDS = 50_000;

/**
 * Finds cells that the text shows in another order than the file: the words of their row are on one line of the text, and each cell is, but not
 * one after the other. Time grows linearly with both.
 *
 * @param lines lines of the text
 * @returns the cells of such rows
 */
function disorderedCells<Cell extends Row[number]>(
  cells: readonly Cell[],
  lines: readonly CountedText[],
): Set<Cell> {
  const lineOf = linesOfUniqueWords(lines);
  const found = new Set<Cell>();
  for (const row of rowsOf(cells)) {
    const anchor = row.flatMap(({ ids }) => ids).find((id) => lineOf.get(id) != null);
    const line = anchor === undefined ? undefined : lineOf.get(anchor);
    if (!line || row.length > MOST_CELLS || line.length > MOST_WORDS) continue;
    const whole = row.flatMap(({ ids }) => ids);
    const isWhole = containsAll(line, whole) && row.every(({ ids }) => isWithin(line, ids));
    if (isWhole && !isWithin(line, whole)) for (const cell of row) found.add(cell);
  }
  return found;
}

/** Returns the line of each word that the text has once; null for other words. */
function linesOfUniqueWords(lines: readonly CountedText[]): Map<number, readonly number[] | null> {
  const found = new Map<number, readonly number[] | null>();
  for (const { ids } of lines) for (const id of ids) found.set(id, found.has(id) ? null : ids);
  return found;
}

function rowsOf<Cell extends Row[number]>(cells: readonly Cell[]): Cell[][] {
  const rows: Cell[][] = [];
  let open = '';
  for (const cell of cells) {
    const row = cell.piece.row ?? rowAt(cell.piece.place);
    if (row !== '' && row === open) rows.at(-1)!.push(cell);
    else if (row !== '') rows.push([cell]);
    open = row;
  }
  return rows.filter((row) => row.length > 1);
}

/** Returns the row that a place names, such as `table 1, row 2, cell 3` or `sheet "Q1" B7`; '' for another place. */
function rowAt(place: string): string {
  const [, word] = /^(.{0,500}, row \d{1,9}), cell \d{1,9}$/s.exec(place) ?? [];
  const [, sheet, row] = /^(sheet ".{0,500}") [A-Z]{1,3}(\d{1,7})$/s.exec(place) ?? [];
  return word ?? (sheet === undefined ? '' : `${sheet} ${row}`);
}

function containsAll(line: readonly number[], ids: readonly number[]): boolean {
  const counts = new Map<number, number>();
  for (const id of line) counts.set(id, (counts.get(id) ?? 0) + 1);
  return ids.every((id) => {
    const left = counts.get(id) ?? 0;
    counts.set(id, left - 1);
    return left > 0;
  });
}

/** Returns whether a line has words in this order, perhaps with others between them. */
function isWithin(line: readonly number[], ids: readonly number[]): boolean {
  let at = 0;
  for (const id of line) if (id === ids[at]) at++;
  return at === ids.length;
}
