import { isHtmlBlock, mathStart, rawHtmlEnd } from '../lines.js';
import { trimAsciiWhitespace } from '../trim.js';

/** Type of a Markdown line. `code` is the content of a fenced or indented block. */
export type LineKind =
  | 'blank'
  | 'prose'
  | 'heading'
  | 'setext'
  | 'underline'
  | 'fence_open'
  | 'fence_close'
  | 'code'
  | 'table'
  | 'delimiter'
  | 'front_matter';

/** Scanned line; `text` excludes quote markers, list indentation and fence indentation. */
export interface ScannedLine {
  kind: LineKind;
  text: string;
  /** Heading level 1–6 for `heading`, `setext` and `underline`; 0 otherwise. */
  level: number;
  quotes: number;
  lists: number;
  /** List markers that start on this line, such as `-` or `1. -`; empty on most lines. */
  marker: string;
}

/** Code fence of the document. Lines are 1-based; `closedBy` is `eof` if the fence is not closed. */
export interface ScannedFence {
  line: number;
  lastLine: number;
  marker: string;
  info: string;
  closedBy: 'fence' | 'container' | 'eof';
}

export interface ScannedDocument {
  lines: ScannedLine[];
  fences: ScannedFence[];
}

export interface ScanOptions {
  /** Parse a leading `---` block as front matter. Set only for sources: manuscripts do not contain front matter. */
  frontMatter?: boolean;
  /** Also parse a leading `+++` block as front matter. */
  tomlFrontMatter?: boolean;
}

/** CommonMark block starts: ATX heading, thematic break. */
export const ATX = /^(#{1,6})(?:[ \t]+|$)/;
export const BREAK = /^(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/;
/**
 * Splits a text into lines without line feeds and at most one carriage return each; a final line feed starts
 * no new line.
 */
export function splitLines(text: string): string[] {
  const lines = text.split('\n');
  if (lines[lines.length - 1] === '') lines.pop();
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] as string;
    if (line.charCodeAt(line.length - 1) === 13) lines[i] = line.slice(0, -1);
  }
  return lines;
}

/** Returns the trimmed cells of a table row, with `\|` unescaped; null for a line without cell borders. */
export function tableCells(row: string): string[] | null {
  const text = trimAsciiWhitespace(row);
  const cells: string[] = [];
  let start = text.startsWith('|') ? 1 : 0;
  let borders = start;
  for (let i = start; i < text.length; i++) {
    const char = text[i];
    if (char === '\\') i++;
    else if (char === '|') {
      cells.push(text.slice(start, i));
      start = i + 1;
      borders++;
    }
  }
  if (borders === 0) return null;
  if (start < text.length) cells.push(text.slice(start));
  return cells.map((cell) => trimAsciiWhitespace(cell).replaceAll('\\|', '|'));
}

/** Returns whether a line is a GFM delimiter row such as `| --- | :-: |`. */
export function isDelimiterRow(text: string): boolean {
  if (!/^[|:\- \t]+$/.test(text) || !text.includes('-')) return false;
  const cells = tableCells(text) ?? [trimAsciiWhitespace(text)];
  return cells.length > 0 && cells.every(isDelimiterCell);
}

/** Returns whether a cell of a delimiter row has only its marks. */
export const isDelimiterCell = (cell: string): boolean => /^:?-+:?$/.test(cell);

/**
 * Returns whether two lines look like a table head but are not parsed as one. A line of HTML does not count:
 * the next line belongs to its block.
 */
export function isMeantAsTable(header: ScannedLine, delimiter: ScannedLine): boolean {
  const isProse = header.kind === 'prose' && delimiter.kind === 'prose';
  if (!isProse || header.text.startsWith('<') || tableCells(header.text) === null) return false;
  return delimiter.text.includes('|') && isDelimiterRow(delimiter.text);
}

/** Removes up to `columns` of leading white space; a partly removed tab leaves blanks. */
export function stripIndent(text: string, columns: number): string {
  let column = 0;
  let at = 0;
  while (column < columns && at < text.length) {
    if (text[at] === ' ') column++;
    else if (text[at] === '\t') column += 4 - (column % 4);
    else break;
    at++;
  }
  return ' '.repeat(Math.max(0, column - columns)) + text.slice(at);
}

/** Returns the text of an ATX heading without opening and closing markers. */
export function headingText(trimmed: string, from: number): string {
  let end = trimmed.length;
  while (end > from && trimmed[end - 1] === '#') end--;
  const closed = end < trimmed.length && (end <= from || /[ \t]/.test(trimmed[end - 1] as string));
  return trimAsciiWhitespace(trimmed.slice(from, closed ? end : undefined));
}

/** Returns whether a line starts an HTML or math block that may interrupt a paragraph. */
function startsOpaque(text: string): boolean {
  return isHtmlBlock(text) || rawHtmlEnd(text) !== null || mathStart(text) !== null;
}

/** Returns whether a line starts a new block, so that it cannot lazily continue a paragraph. */
export function startsBlock(rest: string): boolean {
  const text = trimAsciiWhitespace(rest);
  if (/^(?:`{3,}|~{3,}|>)/.test(text) || ATX.test(text) || BREAK.test(text)) return true;
  return /^(?:[-+*]|1[.)])[ \t]+\S/.test(text) || startsOpaque(text);
}
