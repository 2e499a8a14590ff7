import type { Ledger, LedgerFile, LedgerSource } from '../schema.js';
import { csvSeparator, parseCsv } from '../source/csv.js';
import { sourceForm } from '../source/form.js';
import { splitLines } from '#markdown/scan/scan.js';
import type { WantedLine } from './missing-text.js';
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
  const lines = splitLines(text.replace(/^\uFEFF/, ''));
  if (form === 'table')
    return parseCsv(lines, csvSeparator(lines[0] ?? '', name)).map(({ line, cells }) => ({
      line,
      text: cells.join(' ').replace(/<br>/g, ' '),
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
