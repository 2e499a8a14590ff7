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
  /** Number of its first words that are the number of its list item. */
  numbers: number;
  /** Words by number, with the number that a letter stands for. */
  item: readonly number[];
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
  const carried = wanting.filter(({ reported }) => reported === null);
  for (const piece of misnumbered(carried, lines))
    piece.missing = [...piece.ids.slice(0, piece.numbers || piece.ids.length).keys()];
  const drawn = options.knowsRaised || options.runsToLeft ? [] : carried;
  const inTables = lines.flatMap((line, index) => {
    const page = text.rows.get(text.shown[index]!);
    return page === undefined ? [] : [{ ...line, page }];
  });
  for (const cell of [...disorderedCells(rowsOf(wanting), lines), ...disorderedLines(drawn, inTables)])
    cell.isDisordered = true;
  return inventoryOf(counted);
}

function countedPiece(piece: Piece, table: WordTable, options: AccountOptions): CountedPiece {
  const { number = '' } = piece;
  const asNumber = wordsOf(String(number), options);
  const numbers = typeof number === 'string' ? asNumber : [];
  const own = piece.isMarkdown
    ? extractedWords(piece.text, true, options).shown.flat()
    : wordsOf(piece.text, options);
  const words = [...numbers, ...own];
  const ids = table.idsOf(words);
  return {
    piece,
    words,
    numbers: numbers.length,
    ids,
    item: typeof number === 'string' ? ids : [...table.idsOf(asNumber), ...ids],
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
    const own = piece.missing.filter((position) => position >= piece.numbers);
    const at = open.reportOf(own.map((position) => piece.words[position]!));
    const unreported = own.filter((position) => {
      const kind = open.take(piece.words[position]!, at);
      if (kind === null) return true;
      setReported(piece, kind, [position]);
      return false;
    });
    const numbers = piece.missing.filter((position) => position < piece.numbers);
    piece.missing = piece.reported === null ? [...numbers, ...unreported] : unreported;
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

/** Returns list items whose words are lines of the text with other numbers only. */
function misnumbered(pieces: readonly CountedPiece[], lines: readonly CountedText[]): CountedPiece[] {
  const numbered = pieces.flatMap((piece) => {
    const { item, ids, numbers, words, missing } = piece;
    const has = item.length - ids.length + numbers;
    return has === 1 && item.length > 1 && missing.length === 0 ? [{ piece, words, ids: item }] : [];
  });
  const withNumbers = lines.filter(({ words }) => /^\d/.test(words[0] ?? ''));
  return changed(numbered, withNumbers, ({ ids }) => ids.slice(1)).map(({ piece }) => piece);
}

interface TextOfPage extends CountedText {
  page: number;
}

/** Returns lines of a PDF whose words the rows of tables on their page have in another order. A PDF has no cells. */
function disorderedLines(pieces: readonly CountedPiece[], rows: readonly TextOfPage[]): CountedPiece[] {
  const lines = pieces.map((piece) => {
    const page = Number(/^page (\d{1,9}), /.exec(piece.piece.place)?.[1] ?? 0);
    return { piece, page, words: piece.words, ids: piece.ids };
  });
  const keyOf = ({ page, ids }: TextOfPage) => [page, ...ids.toSorted((a, b) => a - b)];
  return changed<TextOfPage, (typeof lines)[number]>(lines, rows, keyOf).map(({ piece }) => piece);
}

/** Returns pieces that no line shows unchanged, though lines that no other piece needs agree with them in what `kept` returns. */
function changed<Line extends CountedText, Text extends Line>(
  pieces: readonly Text[],
  lines: readonly Line[],
  kept: (text: Line) => number[],
): Text[] {
  const keyOf = (text: Line) => kept(text).join(' ');
  const open = new Map(pieces.map((piece) => [keyOf(piece), [] as string[]]));
  for (const line of lines) open.get(keyOf(line))?.push(line.ids.join(' '));
  const unlike = pieces.filter((piece) => {
    const shown = open.get(keyOf(piece))!;
    const at = shown.indexOf(piece.ids.join(' '));
    if (at >= 0) shown.splice(at, 1);
    return at < 0;
  });
  return unlike.filter((piece) => open.get(keyOf(piece))!.pop() !== undefined);
}

/** Most cells of a row and words of a line whose order is compared, and most lines with a word in which a row is searched. */
const MOST_CELLS = 1_000;
const MOST_WORDS = 50_000;
const MOST_LINES = 50;

/**
 * Finds cells that the text shows in another order than the file: lines of the text have the words of their row, and each cell in its order,
 * but fewer lines than the file has such rows have the cells one after the other. Time grows linearly with both.
 *
 * @param lines lines of the text
 * @returns the cells of such rows
 */
function disorderedCells(rows: readonly CountedPiece[][], lines: readonly CountedText[]): Set<CountedPiece> {
  const linesOf = linesByWord(rows, lines);
  const found = new Set<CountedPiece>();
  const seen = new Map<string, number>();
  for (const cells of rows) {
    if (cells.length > MOST_CELLS) continue;
    const whole = cells.flatMap(({ ids }) => ids);
    const [rarest = []] = whole.map((id) => linesOf.get(id) ?? []).sort((a, b) => a.length - b.length);
    if (rarest.length > MOST_LINES) continue;
    const own = rarest.filter(
      (line) => containsAll(line, whole) && cells.every(({ ids }) => isWithin(line, ids)),
    );
    const ordered = own.filter((line) => isWithin(line, whole)).length;
    const key = whole.join(' ');
    const before = seen.get(key) ?? 0;
    seen.set(key, before + 1);
    // A line may be several rows, as of a table in a cell.
    const isCounted = own.length > before && own.every((line) => line.length === whole.length);
    if (own.length > 0 && (ordered === 0 || (isCounted && ordered <= before)))
      for (const cell of cells) found.add(cell);
  }
  return found;
}

/** Returns the lines of the words of rows, for each word at most one more than are searched. */
function linesByWord(
  rows: readonly CountedPiece[][],
  lines: readonly CountedText[],
): Map<number, (readonly number[])[]> {
  const found = new Map<number, (readonly number[])[]>();
  for (const { ids } of rows.flat()) for (const id of ids) found.set(id, []);
  for (const { ids } of lines) {
    if (ids.length > MOST_WORDS) continue;
    for (const id of new Set(ids)) {
      const own = found.get(id);
      if (own && own.length <= MOST_LINES) own.push(ids);
    }
  }
  return found;
}

function rowsOf(cells: readonly CountedPiece[]): CountedPiece[][] {
  const rows = new Map<string, CountedPiece[]>();
  for (const cell of cells) {
    const name = cell.piece.row ?? rowAt(cell.piece.place);
    if (name === '') continue;
    const row = rows.get(name);
    if (row) row.push(cell);
    else rows.set(name, [cell]);
  }
  // The cells that remain of a row that is left out are elsewhere in the text.
  return [...rows.values()].filter((row) => row.length > 1 && row.every(({ reported }) => reported === null));
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
