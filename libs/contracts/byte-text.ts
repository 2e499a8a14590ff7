/**
 * Distinguishes text from other content by its bytes. Runs in browsers, too.
 */

/** Characters of text in UTF-16: assigned ones, with the control characters of text files. */
const TEXT = /^[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}\t\n\r\f\u001b\u200b-\u200f\u2028-\u202e\ufeff]$/u;
/** Largest share of runs of NUL bytes in text. */
const MOST_NUL_RUNS = 1 / 8;

/** Returns whether bytes are not text in any encoding. */
export function isBinary(sample: Uint8Array): boolean {
  return wideEncoding(sample) === null && !isNarrowText(sample);
}

/**
 * Returns the encoding of UTF-16 without a byte order mark; null for other bytes. ASCII characters have zero
 * bytes at odd offsets (little endian) or even ones.
 */
export function wideEncoding(sample: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (sample.length < 4 || sample.length % 2 !== 0) return null;
  const zeros: [number, number] = [0, 0];
  for (let i = 0; i < sample.length; i++) if (sample[i] === 0) zeros[i % 2 === 0 ? 0 : 1]++;
  const half = sample.length / 2;
  const [even, odd] = zeros;
  if (even + odd === 0) return null;
  const encoding = odd > even ? 'utf-16le' : 'utf-16be';
  if (Math.min(even, odd) >= 0.02 * half || !isWideText(sample, encoding)) return null;
  // Scripts other than Latin have zero bytes only in blanks, digits and line ends.
  return Math.max(even, odd) > 0.4 * half || !isNarrowText(sample) ? encoding : null;
}

function isWideText(sample: Uint8Array, encoding: string): boolean {
  let text: string;
  try {
    // The sample may end within a character of two units.
    text = new TextDecoder(encoding, { fatal: true }).decode(sample, { stream: true });
  } catch {
    return false;
  }
  let other = 0;
  let length = 0;
  for (const character of text) {
    length += 1;
    if (!TEXT.test(character)) other += 1;
  }
  return other * 100 <= length;
}

/**
 * Returns whether bytes are text of an encoding with single bytes for ASCII, apart from some runs of NUL bytes
 * (in logs that were cut while a program wrote them) and up to 2 % control characters; Escape does not count,
 * because logs use colours.
 */
function isNarrowText(sample: Uint8Array): boolean {
  let control = 0;
  let zeros = 0;
  let runs = 0;
  for (let i = 0; i < sample.length; i++) {
    const byte = sample[i]!;
    if (byte === 0) {
      zeros += 1;
      if (i === 0 || sample[i - 1] !== 0) runs += 1;
    } else if (byte < 32 && !TEXT_CONTROLS.has(byte)) control += 1;
  }
  const rest = sample.length - zeros;
  return control * 50 <= rest && runs <= rest * MOST_NUL_RUNS;
}

/** Backspace, tab, line feed, form feed, carriage return, escape. */
const TEXT_CONTROLS = new Set([8, 9, 10, 12, 13, 27]);

/** Bytes at the start of a file among which RTF may begin: after a byte order mark or blanks. */
const RTF_HEAD = 20;
const RTF_START = /^(?:\u00ef\u00bb\u00bf)?\s{0,10}(?=\{\\rtf)/;

/** Returns where RTF begins in a file, independent of its name; -1 for any other file. */
export function rtfStart(bytes: Uint8Array): number {
  const head = String.fromCharCode(...bytes.subarray(0, RTF_HEAD));
  return RTF_START.exec(head)?.[0].length ?? -1;
}

/** Returns whether a file is RTF, independent of its name. */
export const isRtf = (bytes: Uint8Array): boolean => rtfStart(bytes) >= 0;
