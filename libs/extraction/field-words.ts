const LONGEST_INSTRUCTION = 4_000;

/**
 * Returns the words that a field of a Word or RTF file shows and that only its instruction contains: the parts of an equation (`EQ`), the text
 * of a button (`MACROBUTTON`). Null for other fields, which show their stored result.
 */
export function fieldWords(instruction: string): string | null {
  const text = instruction.slice(0, LONGEST_INSTRUCTION);
  if (/^\s*EQ\b/.test(text)) return equationText(text);
  return /^\s*MACROBUTTON\s+\S{1,200}\s+([^]*)/.exec(text)?.[1]?.trim() ?? null;
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
