/** Maximum lines per block of code: Typst takes quadratic time for long blocks. */
const CODE_LINES = 200;

/** Maximum length in characters of highlighted blocks; longer ones are data or logs. */
const MAX_HIGHLIGHTED_LENGTH = 200_000;

/**
 * Writes a code block.
 *
 * @param language language for highlighting; null for none
 */
export function codeCall(text: string, language: string | null = null): string {
  const lines = text.split('\n');
  const parts: string[] = [];
  for (let at = 0; at < lines.length; at += CODE_LINES)
    parts.push(literal(lines.slice(at, at + CODE_LINES).join('\n')));
  if (language === null || text.length > MAX_HIGHLIGHTED_LENGTH) return `#code(${parts.join(', ')})`;
  return `#code(language: ${literal(language)}, ${parts.join(', ')})`;
}

/** Writes a Typst string literal. */
export function literal(text: string): string {
  const escaped = text
    .replace(/[\\"]/g, '\\$&')
    .replace(/\r\n?|\n/g, '\\n')
    .replaceAll('\t', '\\t')
    .replace(/[\u0000-\u001F\u007F]/g, (char) => `\\u{${char.charCodeAt(0).toString(16)}}`)
    .replace(/[\uD800-\uDFFF]/g, (char, at: number, all: string) => (isPaired(all, at) ? char : '\uFFFD'));
  return `"${escaped}"`;
}

export function label(id: string): string {
  return `#label(${literal(id)})`;
}

function isPaired(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  const other = text.charCodeAt(code < 0xdc00 ? at + 1 : at - 1);
  return code < 0xdc00 ? other >= 0xdc00 && other <= 0xdfff : other >= 0xd800 && other <= 0xdbff;
}
