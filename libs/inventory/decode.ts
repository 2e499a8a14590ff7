import { analyse } from 'chardet';
import iconv from 'iconv-lite';

const MARKS: [number[], string][] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
];

/** Bytes from which the encoding of text is guessed. */
const SAMPLE = 64 * 1024;
/** Less likely encodings are not used; percent. */
const LEAST_CONFIDENCE = 30;

/**
 * Decodes text: by its byte order mark, as UTF-8 if it is valid, by a declared encoding, otherwise by the likeliest encoding.
 *
 * @param declared label of the encoding, such as `iso-8859-1`; an unknown one is ignored
 */
export function decodeText(bytes: Uint8Array, declared?: string): string {
  const mark = MARKS.find(([start]) => start.every((byte, at) => bytes[at] === byte));
  if (mark) return decodeAs(bytes, mark[1]) ?? '';
  const wide = wideEncoding(bytes);
  if (wide !== null) return decodeAs(bytes, wide) ?? '';
  if (declared !== undefined && !/^utf-?8$/i.test(declared)) {
    const named =
      isUtf8(bytes) && !/^(?:iso-2022|utf-?7|unicode-1-1-utf-7|utf-?16|hz)/i.test(declared)
        ? null
        : decodeAs(bytes, declared);
    if (named !== null) return named;
  }
  if (isUtf8(bytes)) return new TextDecoder().decode(bytes);
  const [likely] = analyse(bytes.subarray(0, SAMPLE));
  const isSure = likely !== undefined && likely.confidence >= LEAST_CONFIDENCE;
  const text = isSure ? decodeAs(bytes, likely.name) : null;
  return text !== null && !text.includes('\uFFFD') ? text : (decodeAs(bytes, 'windows-1252') ?? '');
}

/** Returns UTF-16 for text in which every second byte at the start is 0. */
function wideEncoding(bytes: Uint8Array): string | null {
  const head = bytes.subarray(0, 64);
  if (head.length < 4) return null;
  const zeros = (parity: number) => head.filter((byte, at) => at % 2 === parity && byte === 0).length;
  const half = Math.floor(head.length / 2);
  if (zeros(1) >= half * 0.9 && zeros(0) === 0) return 'utf-16le';
  return zeros(0) >= half * 0.9 && zeros(1) === 0 ? 'utf-16be' : null;
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** Decodes text; null for an unknown encoding. Names follow the WHATWG standard, otherwise iconv. */
export function decodeAs(bytes: Uint8Array, label: string): string | null {
  try {
    return new TextDecoder(label.trim()).decode(bytes);
  } catch {
    const name = label.replace(/^unicode-1-1-/i, '');
    return iconv.encodingExists(name) ? iconv.decode(Buffer.from(bytes), name) : null;
  }
}
