import { trimAsciiWhitespace } from '#markdown/trim.js';
import { type ScannedLine, tableCells } from '#markdown/scan/scan.js';

/**
 * Prefixes of the keys by which lines are compared: a line carries another one with the same key. The key of
 * code is the code. Other kinds start with U+0001 and a letter, and ignore permitted differences: white space
 * in prose, the level of a heading, the padding of table cells.
 */
export const KEY = {
  prose: '\u0001P',
  heading: '\u0001H',
  row: '\u0001T',
  delimiter: '\u0001D',
  open: '\u0001F',
  close: '\u0001f',
} as const;

/**
 * Returns the key of a scanned line, or null if the line need not be carried separately (blank lines, heading
 * underlines).
 */
export function lineKey(line: ScannedLine): string | null {
  switch (line.kind) {
    case 'code':
    case 'front_matter':
      return line.text;
    case 'heading':
    case 'setext':
      return KEY.heading + normalise(line.marker ? `${line.marker} ${line.text}` : line.text);
    case 'prose':
      return `${KEY.prose}${line.quotes}${normalise(proseText(line))}`;
    case 'table':
      return rowKey(tableCells(line.text) ?? [line.text]);
    case 'delimiter':
      return KEY.delimiter + (tableCells(line.text) ?? []).map((cell) => cell.replace(/-+/, '-')).join('|');
    case 'fence_open':
      return KEY.open + fenceInfo(line.text);
    case 'fence_close':
      return KEY.close;
    case 'blank':
      // A quote mark on an otherwise empty line separates blocks, so it must be carried like text.
      return line.quotes > 0 ? `${KEY.prose}${line.quotes}` : null;
    default:
      return null;
  }
}

/** Returns the key of a table row; white space around cells is ignored. */
export function rowKey(cells: string[]): string {
  return KEY.row + cells.map((cell) => trimAsciiWhitespace(cell)).join('\u001f');
}

/** Returns the words of a prose line with its list marker, which must be carried too. */
export function proseText(line: ScannedLine): string {
  return line.marker ? `${line.marker} ${line.text}` : line.text;
}

/** Returns the info string of an opening code fence. */
export function fenceInfo(text: string): string {
  let at = 0;
  while (text[at] === text[0]) at++;
  return trimAsciiWhitespace(text.slice(at));
}

function normalise(text: string): string {
  return trimAsciiWhitespace(text.replace(/[ \t\v\f\r]+/g, ' '));
}

/** Chinese, Japanese and Korean text can wrap between any two characters, so each character is a word. */
const IDEOGRAPHS =
  /[\u3000-\u303f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]/;
const WORD =
  /[\u3000-\u303f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]|[^ \t\v\f\r\u3000-\u303f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]+/g;

/**
 * Splits prose into units that wrapping does not break. Only ASCII white space separates words; a no-break
 * space is text.
 */
export function words(text: string): string[] {
  if (IDEOGRAPHS.test(text)) return text.match(WORD) ?? [];
  return text.split(/[ \t\v\f\r]+/).filter((word) => word !== '');
}
