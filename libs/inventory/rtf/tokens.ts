/** Part of an RTF text: a bracket, a control word with its number, or a character as a byte. */
export type RtfToken =
  | { kind: 'open' }
  | { kind: 'close' }
  | { kind: 'word'; word: string; value: number | null }
  | { kind: 'byte'; value: number };

const BACKSLASH = 0x5c;
const isLetter = (byte: number | undefined) =>
  byte !== undefined && ((byte >= 97 && byte <= 122) || (byte >= 65 && byte <= 90));
const isDigit = (byte: number | undefined) => byte !== undefined && byte >= 48 && byte <= 57;

/** Yields the tokens of an RTF text. Binary data (`\bin`) is skipped. Linear. */
export function* readTokens(bytes: Uint8Array): Generator<RtfToken> {
  for (let at = 0; at < bytes.length;) {
    const byte = bytes[at]!;
    if (byte === 0x7b || byte === 0x7d) {
      yield { kind: byte === 0x7b ? 'open' : 'close' };
      at += 1;
    } else if (byte === BACKSLASH) {
      const { token, next } = controlAt(bytes, at + 1);
      if (token) yield token;
      at = next;
    } else {
      // Ignore line ends and NUL bytes.
      if (byte !== 0x0a && byte !== 0x0d && byte !== 0) yield { kind: 'byte', value: byte };
      at += 1;
    }
  }
}

function controlAt(bytes: Uint8Array, from: number): { token: RtfToken | null; next: number } {
  const first = bytes[from];
  if (first === undefined) return { token: null, next: from };
  if (!isLetter(first)) return symbolAt(bytes, from, first);
  let at = from;
  while (isLetter(bytes[at]) && at - from < 64) at += 1;
  const word = String.fromCharCode(...bytes.subarray(from, at));
  let end = at;
  if (bytes[end] === 0x2d) end += 1;
  const digits = end;
  while (isDigit(bytes[end]) && end - digits < 12) end += 1;
  const value = end > digits ? Number(String.fromCharCode(...bytes.subarray(at, end))) : null;
  let next = value === null ? at : end;
  if (bytes[next] === 0x20) next += 1;
  if (word === 'bin' && value !== null && value > 0) return { token: null, next: next + value };
  return { token: { kind: 'word', word, value }, next };
}

function symbolAt(bytes: Uint8Array, from: number, first: number): { token: RtfToken; next: number } {
  if (first === 0x27) {
    const value = Number.parseInt(String.fromCharCode(...bytes.subarray(from + 1, from + 3)), 16);
    return { token: { kind: 'byte', value: Number.isNaN(value) ? 0x3f : value }, next: from + 3 };
  }
  // An escaped line end ends a paragraph.
  if (first === 0x0a || first === 0x0d)
    return { token: { kind: 'word', word: 'par', value: null }, next: from + 1 };
  if (first === BACKSLASH || first === 0x7b || first === 0x7d)
    return { token: { kind: 'byte', value: first }, next: from + 1 };
  return { token: { kind: 'word', word: String.fromCharCode(first), value: null }, next: from + 1 };
}
