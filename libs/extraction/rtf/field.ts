import { symbolText } from '../symbols.js';

/** Value of `\ffres` that means the default. */
const DEFAULT_RESULT = 25;
const CHECK_BOX = 1;
const SELECTION = 2;
const LONGEST_EQUATION = 4_000;

/** A field: a link, a part of a form, or any other, which shows its stored result. */
export class RtfField {
  instruction = '';
  /** Entries of a selection. */
  readonly entries: string[] = [];
  private type = 0;
  private result = DEFAULT_RESULT;
  private defaultResult = 0;

  word(name: string, value: number): void {
    if (name === 'fftype') this.type = value;
    else if (name === 'ffres') this.result = value;
    else if (name === 'ffdefres') this.defaultResult = value;
  }

  /** Address of a link; null for other fields and for places in the document. */
  get address(): string | null {
    const [, quoted, bare] = /^\s*HYPERLINK\s+(?:"([^"]*)"|([^\s"\\]\S*))/i.exec(this.instruction) ?? [];
    return quoted ?? bare ?? null;
  }

  /** Returns what the field shows instead of its stored result; null for that. */
  shown(): string | null {
    const value = this.result === DEFAULT_RESULT ? this.defaultResult : this.result;
    if (/^\s*EQ\b/.test(this.instruction)) return equationText(this.instruction);
    if (this.type === CHECK_BOX || /^\s*FORMCHECKBOX\b/.test(this.instruction))
      return value === 1 ? '☒' : '☐';
    if (this.type === SELECTION) return this.entries[value] ?? '';
    const symbol = /^\s*SYMBOL\s+(0x[0-9a-f]{1,5}|\d{1,6})\b/i.exec(this.instruction)?.[1];
    const font = /\\f\s+"([^"]{1,100})"/.exec(this.instruction)?.[1];
    if (symbol === undefined || font === undefined) return null;
    const code = Number(symbol);
    return symbolText(font, (code < 0x100 ? 0xf000 + code : code).toString(16).toUpperCase());
  }
}

/** A word with its reading above it, as programs for Japanese write it. */
const RUBY =
  /\\o\s{0,3}(?:\\a[lcrdn]\s{0,3})?\(\s{0,3}\\s\s{0,3}\\up\s{0,3}\d{0,4}\s{0,3}\(([^()]{0,200})\)\s{0,3}[,;]([^()]{0,200})\)/;

/** Returns what an `EQ` field shows on one line: a word and its reading, or the parts of the formula without their commands. */
function equationText(field: string): string {
  const instruction = field.slice(0, LONGEST_EQUATION);
  const [, reading, base] = RUBY.exec(instruction) ?? [];
  if (reading !== undefined && base !== undefined) return `${base.trim()}(${reading.trim()})`;
  return instruction
    .replace(/^\s*EQ\b/, '')
    .replace(/\\f\s*\(([^(),;]{0,200})[,;]([^(),;]{0,200})\)/g, '$1/$2')
    .replace(/\\\*\s*(?:"[^"]{0,100}"|\w{1,20})/g, '')
    .replace(/\\[a-z]{1,3}\s?\d{0,4}/g, '')
    .trim();
}
