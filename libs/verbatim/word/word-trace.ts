import { withoutByteOrderMark } from '#contracts/text.js';
import { carriedShare } from '../report/coverage.js';
import { limited } from '../report/report.js';
import type { Ledger, LedgerSource, LedgerWord, LedgerFile } from '../schema.js';
import { type MissingText, shownText, type WantedLine } from './missing-text.js';
import { csvSeparator, parseCsv } from '../source/csv.js';
import { sourceForm } from '../source/form.js';
import { splitLines } from '#markdown/scan/scan.js';
import { visibleMarkdown, type VisibleLine } from './visible-markdown.js';

/** Lines of plain text that may turn into the markup of a heading or a code fence. */
const ORNAMENT = /^\s*(?:([=\-~^*#"'+.`])\1{2,}|(?:`{3,}|~{3,})\S*)\s*$/;
const HEADING_MARKS = /^#{1,6}[ \t]+/;
const IMAGE = /^[ \t]{0,3}!\[[^\]]{0,1000}\]\([^()]{0,2000}\)[ \t]*$/;

/**
 * Returns the words that a document must show: the words of each line that the ledger calls carried, in the
 * order of the manuscript. Omitted lines and reworded sentences are left to the ledger.
 */
export function wantedLines(sources: readonly LedgerSource[], ledger: Ledger): WantedLine[] {
  const places = manuscriptLines(ledger);
  const wanted: (WantedLine & { at: number })[] = [];
  ledger.files.forEach((file, index) => {
    const source = sources.find(({ name }) => name === file.name);
    for (const { line, text, moves } of source === undefined ? [] : visibleLines(source, file)) {
      const at = places[index]?.[line] ?? 0;
      if (at > 0) wanted.push({ source: file.name, line, text, moves, at });
    }
  });
  return wanted.sort((a, b) => a.at - b.at);
}

/** Returns for each file, by line number, the number of the manuscript line that carries it; 0 for none. */
function manuscriptLines(ledger: Ledger): Int32Array[] {
  const ends = ledger.files.map(() => 0);
  for (const { source, line, count } of ledger.runs) ends[source] = Math.max(ends[source] ?? 0, line + count);
  const places = ends.map((end) => new Int32Array(end));
  for (const { source, line, manuscript_line, count, how } of ledger.runs) {
    if (how === 'sentence') continue;
    for (let index = 0; index < count; index++)
      places[source]![line + index] = how === 'wrapped' ? manuscript_line : manuscript_line + index;
  }
  return places;
}

/** Returns the visible words of a source by line, depending on how the manuscript shows the source. */
function visibleLines({ name, text }: LedgerSource, { form }: LedgerFile): VisibleLine[] {
  const lines = splitLines(withoutByteOrderMark(text));
  if (form === 'table')
    return Array.from(parseCsv(lines, csvSeparator(lines[0] ?? '', name)), ({ line, cells }) => ({
      line,
      text: cells.join(' ').replaceAll('<br>', ' '),
      moves: false,
    }));
  const kind = form === 'fenced' ? 'code' : sourceForm(name);
  if (kind === 'markdown') return visibleMarkdown(text);
  const shown = lines.map((line, index) => ({ line: index + 1, text: line, moves: false }));
  if (kind !== 'text') return shown;
  return shown
    .filter(({ line, text }) => !ORNAMENT.test(text) && !isImageAlone(lines, line - 1))
    .map((line) => ({ ...line, text: line.text.replace(HEADING_MARKS, '') }));
}

/**
 * Returns whether a paragraph of plain text is only an image; a document then shows the image instead of the
 * words.
 */
function isImageAlone(lines: string[], index: number): boolean {
  const isBlank = (line = '') => line.trim() === '';
  return IMAGE.test(lines[index] ?? '') && isBlank(lines[index - 1]) && isBlank(lines[index + 1]);
}

/** Maximum number of characters of missing text that the ledger stores for a line. */
const MAX_TEXT = 500;

/** The last link of the ledger: from each source line to the text that a reader of the Word file sees. */
interface WordTrace {
  word: LedgerWord;
  /** All missing text, without limits. */
  missing: MissingText[];
  /**
   * Returns the text that the file shows for a line, given the index of its source; undefined for a line
   * without visible words.
   */
  textOf: (source: number, line: number) => string | undefined;
}

/**
 * Traces the source lines that are carried according to the ledger to the text of a Word file.
 *
 * @param lines the text that a reader of the file sees, line by line; lines without words are not counted
 * @param addresses addresses that the file shows in brackets after words of the sources
 */
export function traceToWord(
  ledger: Ledger,
  sources: readonly LedgerSource[],
  lines: readonly string[],
  addresses: readonly string[] = [],
): WordTrace {
  const shown = lines.filter((line) => line.trim() !== '');
  const wanted = wantedLines(sources, ledger);
  const { missing, places, textOf } = shownText(wanted, shown, { addresses });
  const sourceOf = new Map(ledger.files.map(({ name }, index) => [name, index]));
  const indexes = indexesByLine(ledger, wanted, sourceOf);
  const entries = missing.map(({ source, line, missing: text }) => ({
    source: sourceOf.get(source) as number,
    line,
    text: text.slice(0, MAX_TEXT),
  }));
  const lost = ledger.files.map(() => new Set<number>());
  for (const { source, line } of entries) lost[source]?.add(line);
  const files = indexes.map((own, source) => {
    const count = own.reduce((sum, index) => sum + Number(index > 0), 0);
    return { wanted: count, shown: count - lost[source]!.size };
  });
  const total = files.reduce((sum, file) => sum + file.wanted, 0);
  const { kept, left } = limited(entries);
  const coverage = carriedShare({ total, missing: total - files.reduce((sum, file) => sum + file.shown, 0) });
  const runs = indexes.flatMap((own, source) => runsOf(source, own, places, lost[source]!));
  const word = { lines: shown.length, coverage, files, runs, missing: kept, left_out: left };
  const shownOf = (source: number, line: number) => {
    const index = indexes[source]?.[line] ?? 0;
    return index === 0 ? undefined : textOf(index - 1);
  };
  return { word, missing, textOf: shownOf };
}

/**
 * Returns for each file, by line number, the index among the wanted lines plus 1; 0 for a line without words.
 */
function indexesByLine(
  { files }: Ledger,
  wanted: readonly WantedLine[],
  sourceOf: ReadonlyMap<string, number>,
): Int32Array[] {
  const found = files.map(({ lines }) => new Int32Array(lines + 1));
  wanted.forEach(({ source, line, text }, index) => {
    const lines = found[sourceOf.get(source) as number]!;
    if (lines[line] === 0 && text.trim() !== '') lines[line] = index + 1;
  });
  return found;
}

/** Groups consecutive shown lines at regular distances into runs. */
function runsOf(
  source: number,
  lines: Int32Array,
  places: Int32Array,
  lost: ReadonlySet<number>,
): LedgerWord['runs'] {
  const runs: LedgerWord['runs'] = [];
  lines.forEach((index, line) => {
    if (index === 0 || lost.has(line)) return;
    const shown = (places[index - 1] as number) + 1;
    const last = runs[runs.length - 1];
    if (last?.line === line - 1 && last.count === 1 && shown >= last.shown) last.step = shown - last.shown;
    const follows = last && last.line + last.count === line && last.shown + last.count * last.step === shown;
    if (follows) last.count += 1;
    else runs.push({ source, line, count: 1, shown, step: 0 });
  });
  return runs;
}
