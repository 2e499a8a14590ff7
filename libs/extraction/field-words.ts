import { decodeBytes } from './encoding.js';
import { symbolText } from './symbols.js';

const LONGEST_INSTRUCTION = 4_000;

/**
 * Returns the words that a field of a Word or RTF file shows and that only its instruction contains: the parts of an equation (`EQ`), the text
 * of a button (`MACROBUTTON`), a character (`SYMBOL`). Null for other fields, which show their stored result.
 */
export function fieldWords(instruction: string): string | null {
  const text = instruction.slice(0, LONGEST_INSTRUCTION);
  if (/^\s*EQ\b/.test(text)) return equationText(text);
  const symbol = /^\s*SYMBOL\s+(0x[0-9a-f]{1,5}|\d{1,6})\b/i.exec(text)?.[1];
  if (symbol !== undefined) return symbolWords(Number(symbol), text);
  return /^\s*MACROBUTTON\s+\S{1,200}\s+([^]*)/.exec(text)?.[1]?.trim() ?? null;
}

/** Returns the address of a `HYPERLINK` field; null for other fields and for places in the document. */
export function linkAddress(instruction: string): string | null {
  const text = instruction.slice(0, LONGEST_INSTRUCTION);
  const [, quoted, bare] = /^\s*HYPERLINK\s+(?:"([^"]*)"|([^\s"\\]\S*))/i.exec(text) ?? [];
  const address = quoted ?? bare ?? null;
  const place = /\\l\s+"([^"]{1,500})"/.exec(text)?.[1];
  return address === null || place === undefined || address.includes('#') ? address : `${address}#${place}`;
}

function symbolWords(code: number, instruction: string): string {
  const font = /\\f\s+"([^"]{1,100})"/.exec(instruction)?.[1];
  if (font !== undefined)
    return symbolText(font, (code < 0x100 ? 0xf000 + code : code).toString(16).toUpperCase());
  const isByte = code < 0x100 && !/\\u\b/.test(instruction);
  return isByte ? decodeBytes(Uint8Array.of(code), 'cp1252') : String.fromCodePoint(code);
}

/** A word with its reading above it, as programs for Japanese write it. */
const RUBY =
  /\\o\s{0,3}(?:\\a[lcrdn]\s{0,3})?\(\s{0,3}\\s\s{0,3}\\up\s{0,3}\d{0,4}\s{0,3}\(([^()]{0,200})\)\s{0,3}[,;]([^()]{0,200})\)/;

/** Returns what an `EQ` field shows on one line: a word and its reading, or the parts of the formula without their commands. */
function equationText(instruction: string): string {
  const [, reading, base] = RUBY.exec(instruction) ?? [];
  if (reading !== undefined && base !== undefined) return `${base.trim()}(${reading.trim()})`;
  return instruction
    .replace(/^\s*EQ\b/, '')
    .replace(/\\f\s*\(([^(),;]{0,200})[,;]([^(),;]{0,200})\)/g, '$1/$2')
    .replace(/\\\*\s*(?:"[^"]{0,100}"|\w{1,20})/g, '')
    .replace(/\\[a-z]{1,3}\s?\d{0,4}/g, '')
    .trim();
}
