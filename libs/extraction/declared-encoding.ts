import { labelledEncoding, nameNulBytes } from './encoding-labels.js';
import { decodeBytes, detectEncoding, isUtf8, markedEncoding } from './encoding.js';

/**
 * Returns the encoding that an HTML page names in a `meta` element or XML declaration of its first 2,048 bytes; undefined without
 * one, or for an unknown name.
 */
export function declaredEncoding(page: Uint8Array): string | undefined {
  const head = decodeBytes(page.subarray(0, 2_048), 'latin1');
  const label =
    /<meta\b[^>]*?\bcharset\s*=\s*["']?\s*([\w-]+)/i.exec(head)?.[1] ??
    /^<\?xml\b[^>]{0,200}?\bencoding\s*=\s*["']([\w-]+)/.exec(head)?.[1];
  const encoding = label === undefined ? undefined : labelledEncoding(label);
  // The page could not have been read as ASCII if it were UTF-16 (Encoding Standard).
  return encoding?.startsWith('utf-16') ? 'utf-8' : encoding;
}

/** Text decoded from bytes. `guessed` is set if no suitable encoding was named. */
interface DecodedText {
  text: string;
  guessed?: string;
}

/**
 * Decodes text with the encoding that its sender may have named. A byte order mark takes precedence. UTF-8 with
 * non-ASCII characters is recognised despite another single-byte label, because such text is never valid UTF-8 by
 * chance. Never throws: if no label fits, the encoding is guessed.
 *
 * @param labels names of the encoding as written, the most trusted first
 */
export function decodeLabelled(bytes: Uint8Array, labels: readonly (string | undefined)[]): DecodedText {
  const marked = markedEncoding(bytes);
  if (marked !== null) return { text: nameNulBytes(decodeBytes(bytes, marked)) };
  const isAscii = bytes.every((byte) => byte < 128);
  const isUnicode = !isAscii && isUtf8(bytes);
  for (const label of labels) {
    const encoding = label === undefined ? undefined : labelledEncoding(label);
    if (encoding === undefined || label === undefined) continue;
    if (isUnicode && !MULTI_BYTE.test(encoding)) break;
    if (!isAscii && ASCII.test(label.trim())) continue;
    const text = decodeBytes(bytes, encoding);
    if (!text.includes('\uFFFD')) return { text: nameNulBytes(text) };
  }
  if (isAscii || isUnicode) return { text: nameNulBytes(decodeBytes(bytes, 'utf-8')) };
  const { encoding, binary, confidence } = detectEncoding(bytes);
  const guessed = binary || confidence < 0.3 ? 'windows-1252' : encoding;
  const text = decodeBytes(bytes, guessed);
  if (!text.includes('\uFFFD')) return { guessed, text: nameNulBytes(text) };
  // The decoder of the Encoding Standard has a character for every byte.
  return { guessed: 'windows-1252', text: nameNulBytes(new TextDecoder('windows-1252').decode(bytes)) };
}

const MULTI_BYTE = /^(?:utf-(?:7|16|32)|gb|big5|shift_jis|euc-|iso-2022|hz|cp9)/;
const ASCII = /^["']?(?:us-ascii|ascii|646|ansi_x3\.4-1968)["']?$/i;
