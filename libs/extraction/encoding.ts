import { phrase } from '#contracts/phrases/phrase.js';
import { analyse } from 'chardet';
import iconv from 'iconv-lite';
import { isBinary, wideEncoding } from '#contracts/byte-text.js';
import {
  decodeShifted,
  isShiftedEncoding,
  nameNulBytes,
  standardName,
  textStart,
} from './encoding-labels.js';
import { ExtractionError, UndecodedError } from './errors.js';

/** Result of the encoding detection. `encoding` is an iconv name; `confidence` ranges from 0 to 1. */
export interface DetectedEncoding {
  encoding: string;
  /** Whether the bytes are valid UTF-8 (with or without a byte order mark), as sources must be. */
  utf8: boolean;
  /** Whether the bytes are not text in any encoding. */
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
 * Guesses the encoding of a file from its byte order mark, the zero bytes of UTF-16, or its validity as
 * UTF-8; otherwise from statistics over its first 256 KB. Never throws.
 */
export function detectEncoding(bytes: Uint8Array): DetectedEncoding {
  const marked = markedEncoding(bytes);
  if (marked !== null && marked !== 'utf-8')
    return { encoding: marked, utf8: false, binary: false, confidence: 1 };
  const start = textStart(bytes);
  const sample = bytes.subarray(start, start + SAMPLE);
  const wide = wideEncoding(sample);
  if (wide) return { encoding: wide, utf8: false, binary: false, confidence: 0.9 };
  if (isBinary(sample)) return { encoding: 'binary', utf8: false, binary: true, confidence: 1 };
  if (isUtf8(bytes)) return { encoding: 'utf-8', utf8: true, binary: false, confidence: 1 };
  const guesses = analyse(sample.filter((byte) => byte !== 0)).filter(
    ({ name }) => name !== 'UTF-8' && name !== 'ASCII' && iconv.encodingExists(name),
  );
  const [best] = guesses;
  if (!best) return { encoding: 'windows-1252', utf8: false, binary: false, confidence: 0.1 };
  return { encoding: best.name.toLowerCase(), utf8: false, binary: false, confidence: best.confidence / 100 };
}

/** Returns whether text in this encoding can be decoded. */
export function isKnownEncoding(name: string): boolean {
  return iconv.encodingExists(name);
}

/**
 * Decodes bytes and strips the byte order mark.
 *
 * @throws ExtractionError for an unknown encoding name
 */
export function decodeBytes(bytes: Uint8Array, encoding: string): string {
  if (isShiftedEncoding(encoding)) return decodeShifted(bytes, encoding);
  if (iconv.encodingExists(encoding))
    return iconv.decode(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), encoding);
  // The Encoding Standard has encodings that iconv-lite lacks, such as iso-2022-jp.
  if (standardName(encoding) !== undefined) return new TextDecoder(encoding).decode(bytes);
  throw new ExtractionError(phrase('unreadable.encoding_unknown', { encoding }));
}

/**
 * Encodes text; null if the encoding is unknown or lacks a character of it.
 *
 * @param encoding `utf-8-bom` and UTF-16 begin with a byte order mark
 */
export function encodeText(text: string, encoding: string): Uint8Array | null {
  const addBOM = /^utf-?(?:8-bom|16(?:le|be)?)$/i.test(encoding);
  const name = encoding.replace(/-bom$/i, '');
  if (!iconv.encodingExists(name)) return null;
  const bytes = iconv.encode(text, name, { addBOM });
  return iconv.decode(bytes, name) === text.toWellFormed() ? bytes : null;
}

/** Returns the encoding indicated by a byte order mark; null without one. */
export function markedEncoding(bytes: Uint8Array): string | null {
  return MARKS.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte))?.[0] ?? null;
}

/** Decoded text and its original encoding; null for UTF-8. */
export interface ReadText {
  text: string;
  encoding: string | null;
}

/**
 * Returns the text of a source. A byte order mark or valid UTF-8 takes precedence; `fallback` applies to all
 * other files. NUL bytes are replaced with words that count them.
 *
 * @throws UndecodedError with the guessed encoding, so that a person can decide; ExtractionError if the file
 * is not text
 */
export function readText(bytes: Uint8Array, fileName: string, fallback?: string): ReadText {
  const marked = markedEncoding(bytes);
  if (marked !== null && marked !== 'utf-8')
    return { text: nameNulBytes(decodeBytes(bytes, marked)), encoding: marked };
  const detected = detectEncoding(bytes);
  if (detected.utf8) return { text: nameNulBytes(decodeBytes(bytes, 'utf-8')), encoding: null };
  if (detected.binary) throw new ExtractionError(phrase('unreadable.not_text', { name: fileName }));
  if (fallback !== undefined) {
    const text = decodeBytes(bytes, fallback);
    if (!text.includes('\uFFFD')) return { text: nameNulBytes(text), encoding: fallback };
    throw new UndecodedError(phrase('unreadable.neither_utf8', { name: fileName, encoding: fallback }));
  }
  const percent = Math.round(detected.confidence * 100);
  throw new UndecodedError(
    phrase('unreadable.not_utf8', { name: fileName, encoding: detected.encoding, percent }),
  );
}

/** Like `readText`, but returns only the text. */
export function decodeText(bytes: Uint8Array, fileName: string, fallback?: string): string {
  return readText(bytes, fileName, fallback).text;
}

/** Returns whether bytes are valid UTF-8. */
export function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
