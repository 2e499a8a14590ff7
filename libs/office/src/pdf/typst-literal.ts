/** A Typst string literal. */
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
