import { trimAsciiWhitespace } from '#markdown/trim.js';
import { type ScannedLine, tableCells } from '#markdown/scan/scan.js';

/**
 * Keys make lines comparable: two lines with one key carry each other. Code is its own key. Other kinds begin with U+0001 and a letter,
 * and leave out what may differ: white space in prose, the level of a heading, the padding of a table's cells.
 */
export const KEY = {
  prose: '\u0001P',
  heading: '\u0001H',
  row: '\u0001T',
  delimiter: '\u0001D',
  open: '\u0001F',
  close: '\u0001f',
} as const;

/** The key of a scanned line, or null for a line that nothing needs to carry by itself (blank lines, heading underlines). */
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
      // A quote mark alone on its line separates blocks, so it is carried like text.
      return line.quotes > 0 ? `${KEY.prose}${line.quotes}` : null;
    default:
      return null;
  }
}

/** The key of a table row by its cells; cells are compared without the blanks around them. */
export function rowKey(cells: string[]): string {
  return KEY.row + cells.map((cell) => trimAsciiWhitespace(cell)).join('\u001f');
}

/** The words of a prose line with its list marker, which is text that must be carried. */
export function proseText(line: ScannedLine): string {
  return line.marker ? `${line.marker} ${line.text}` : line.text;
}

/** What stands behind the marker of an opening fence. */
export function fenceInfo(text: string): string {
  let at = 0;
  while (text[at] === text[0]) at++;
  return trimAsciiWhitespace(text.slice(at));
}

function normalise(text: string): string {
  return /[\t\v\f\r]| {2}/.test(text)
    ? trimAsciiWhitespace(text.replace(/[ \t\v\f\r]+/g, ' '))
    : trimAsciiWhitespace(text);
}

/** Chinese, Japanese and Korean text wraps between any two characters, so each of them is a word. */
const IDEOGRAPHS =
  /[\u3000-\u303f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]/;
const WORD =
  /[\u3000-\u303f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]|[^ \t\v\f\r\u3000-\u303f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]+/g;

/** Splits prose into the units that wrapping keeps whole. Only ASCII white space separates words; a no-break space is text. */
export function words(text: string): string[] {
  if (IDEOGRAPHS.test(text)) return text.match(WORD) ?? [];
  return text.split(/[ \t\v\f\r]+/).filter((word) => word !== '');
}
