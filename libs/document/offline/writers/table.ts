import { escapeCell } from '#markdown/escape.js';
import { splitLines } from '#markdown/scan/scan-text.js';
import { csvSeparator, parseCsv, type CsvRecord } from '#verbatim/source/csv.js';
import { writeCode, type CodeState } from './code.js';
import { chapterLine } from './headings.js';
import type { Written } from './writer.js';

/**
 * Limits up to which CSV becomes a table; larger CSV, or CSV with records of different lengths, is fenced
 * verbatim.
 */
const TABLE_LIMITS = { characters: 100_000, records: 500, columns: 16 } as const;

export interface TableState {
  kind: 'table';
  language: string;
  title: string;
  level: number;
  /** File name, which decides the separator of cells. */
  file: string;
}

/** Carries CSV as a table once it is complete, or as code if it does not fit. */
export function writeTable(state: TableState, text: string, last: boolean): Written<TableState | CodeState> {
  if (!last && text.length <= TABLE_LIMITS.characters) return { markdown: '', consumed: 0, state };
  const rows = last ? tableRows(text, state.file) : null;
  if (rows !== null)
    return { markdown: `${chapterLine(state)}\n\n${rows.join('\n')}\n`, consumed: text.length, state };
  const { language, title, level } = state;
  return writeCode({ kind: 'code', language, title, level, fence: null }, text, last);
}

/** Returns the rows of a CSV text as a Markdown table; null if it is too large, or a table would not show it whole. */
export function tableRows(text: string, file: string): string[] | null {
  if (text.length > TABLE_LIMITS.characters) return null;
  const lines = splitLines(text);
  const separator = csvSeparator(lines[0] ?? '', file);
  const records = [...parseCsv(lines, separator)];
  const columns = records[0]?.cells.length ?? 0;
  const fits = records.length > 1 && records.length <= TABLE_LIMITS.records;
  if (!fits || columns < 2 || columns > TABLE_LIMITS.columns) return null;
  if (!records.every((record) => record.cells.length === columns && isWhole(record, lines, separator)))
    return null;
  const [head = '', ...body] = records.map(({ cells }) => row(cells));
  return [head, row(new Array<string>(columns).fill('---')), ...body];
}

/**
 * Returns whether the cells contain everything in the record's lines; a misplaced quote would be lost, and a
 * row of dashes read as markup.
 */
function isWhole({ cells, line, lastLine }: CsvRecord, lines: string[], separator: string): boolean {
  const written = lines.slice(line - 1, lastLine).join('\n');
  let at = 0;
  for (const cell of cells) {
    const isQuoted = written[at] === '"';
    const whole = isQuoted ? `"${cell.replaceAll('"', '""')}"` : cell;
    if (!written.startsWith(whole, at)) return false;
    at += whole.length + separator.length;
  }
  const isMarkup = cells.every((cell) => /^:?-+:?$/.test(cell.trim()));
  return at === written.length + separator.length && !isMarkup && !/[\r\0\t\uFEFF]/.test(cells.join(''));
}

/** Returns one table row; escapes pipes within cells. */
const row = (cells: string[]) =>
  `| ${cells.map((cell) => escapeCell(cell).replaceAll('|', '\\|')).join(' | ')} |`;
