/**
 * Returns where the text of a file starts: after the NUL bytes of a log that was cut while a program wrote it,
 * at an even offset.
 */
export function textStart(bytes: Uint8Array): number {
  const first = bytes.findIndex((byte) => byte !== 0);
  // Two zero bytes may be a character of UTF-32.
  return first < 4 ? 0 : first - (first % 2);
}

/**
 * Replaces NUL characters, which neither documents nor databases can contain, with words that count them: `[64 NUL
 * bytes]`.
 */
export function nameNulBytes(text: string): string {
  if (!text.includes('\0')) return text;
  return text.replace(/\0+/g, ({ length }) => (length === 1 ? '[1 NUL byte]' : `[${length} NUL bytes]`));
}
