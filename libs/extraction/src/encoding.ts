import { analyse } from 'chardet';
import iconv from 'iconv-lite';
import { ExtractionError, UndecodedError } from './errors.js';

/** What a file's bytes look like. `encoding` is an iconv name; `confidence` is 0 to 1. */
export interface DetectedEncoding {
  encoding: string;
  /** The bytes are valid UTF-8 (with or without a byte order mark), as sources must be. */
  utf8: boolean;
  /** The bytes are no text in any encoding. */
  binary: boolean;
  confidence: number;
}

const SAMPLE = 256 * 1024;
const MARKS: [string, number[]][] = [
  ['utf-32le', [0xff, 0xfe, 0, 0]],
  ['utf-32be', [0, 0, 0xfe, 0xff]],
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/**
 * Guesses the encoding of a file: by its byte order mark, by being valid UTF-8 as a whole, by the zero bytes of UTF-16, and else by
 * statistics over its first 256 KB. Never throws.
 */
export function detectEncoding(bytes: Uint8Array): DetectedEncoding {
  const marked = markedEncoding(bytes);
  if (marked !== null && marked !== 'utf-8')
    return { encoding: marked, utf8: false, binary: false, confidence: 1 };
  const sample = bytes.subarray(0, SAMPLE);
  const wide = wideEncoding(sample);
  if (wide) return { encoding: wide, utf8: false, binary: false, confidence: 0.9 };
  if (looksBinary(sample)) return { encoding: 'binary', utf8: false, binary: true, confidence: 1 };
  if (isUtf8(bytes)) return { encoding: 'utf-8', utf8: true, binary: false, confidence: 1 };
  const guesses = analyse(sample).filter(
    ({ name }) => name !== 'UTF-8' && name !== 'ASCII' && iconv.encodingExists(name),
  );
  const [best] = guesses;
  if (!best) return { encoding: 'windows-1252', utf8: false, binary: false, confidence: 0.1 };
  return { encoding: best.name.toLowerCase(), utf8: false, binary: false, confidence: best.confidence / 100 };
}

/** Whether text in an encoding of this name can be decoded. */
export function isKnownEncoding(name: string): boolean {
  return iconv.encodingExists(name);
}

/**
 * Returns the encoding that browsers and mail programs use for a label: `iso-8859-1` means windows-1252 (WHATWG Encoding Standard). Labels that
 * the standard does not have, such as `cp850`, are kept if they can be decoded; undefined for all others.
 */
export function labelledEncoding(label: string): string | undefined {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return isKnownEncoding(label) ? label.toLowerCase() : undefined;
  }
}

/** Decodes bytes in a named encoding, without the byte order mark. Throws ExtractionError for an unknown name. */
export function decodeBytes(bytes: Uint8Array, encoding: string): string {
  if (!iconv.encodingExists(encoding)) throw new ExtractionError(`Unknown encoding ${encoding}`);
  return iconv.decode(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), encoding);
}

/** The encoding that a byte order mark states; null without one. */
export function markedEncoding(bytes: Uint8Array): string | null {
  return MARKS.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte))?.[0] ?? null;
}

/** Text, and what it was converted from; null when it is UTF-8. */
export interface ReadText {
  text: string;
  encoding: string | null;
}

/**
 * The text of a source. What is certain wins: a byte order mark, or bytes that are valid UTF-8 as a whole; `fallback` is for what is neither.
 *
 * @throws UndecodedError that names the guess, so that a person can decide; ExtractionError when the file is no text
 */
export function readText(bytes: Uint8Array, fileName: string, fallback?: string): ReadText {
  const marked = markedEncoding(bytes);
  if (marked !== null && marked !== 'utf-8') return { text: decodeBytes(bytes, marked), encoding: marked };
  const detected = detectEncoding(bytes);
  if (detected.utf8) return { text: decodeBytes(bytes, 'utf-8'), encoding: null };
  if (detected.binary) throw new ExtractionError(`${fileName} is not a text file`);
  if (fallback !== undefined) {
    const text = decodeBytes(bytes, fallback);
    if (!text.includes('\uFFFD')) return { text, encoding: fallback };
    throw new UndecodedError(`${fileName} is neither UTF-8 nor ${fallback}. Name its encoding.`);
  }
  const percent = Math.round(detected.confidence * 100);
  throw new UndecodedError(
    `${fileName} is not UTF-8; it looks like ${detected.encoding} (${percent} %). Convert it, or name its encoding.`,
  );
}

/** The text alone; see `readText`. */
export function decodeText(bytes: Uint8Array, fileName: string, fallback?: string): string {
  return readText(bytes, fileName, fallback).text;
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** Text in UTF-16 without a mark has its zero bytes on one side: at odd places (little endian) or at even ones. */
function wideEncoding(sample: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (sample.length < 4 || sample.length % 2 !== 0) return null;
  const zeros = [0, 0];
  for (let i = 0; i < sample.length; i++) if (sample[i] === 0) zeros[i % 2] = (zeros[i % 2] as number) + 1;
  const half = sample.length / 2;
  const [even = 0, odd = 0] = zeros;
  if (odd > 0.4 * half && even < 0.02 * half) return 'utf-16le';
  return even > 0.4 * half && odd < 0.02 * half ? 'utf-16be' : null;
}

/** Zero bytes, or more than one control character in fifty. Escape is allowed: logs carry colours. */
function looksBinary(sample: Uint8Array): boolean {
  let control = 0;
  for (const byte of sample) {
    if (byte === 0) return true;
    if (byte < 32 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13 && byte !== 27 && byte !== 8)
      control++;
  }
  return control * 50 > sample.length;
}
