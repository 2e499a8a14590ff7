import iconv from 'iconv-lite';
import { decodeBytes, detectEncoding } from './encoding.js';

/** A way to read bytes as text, with what a line of it looks like then. */
export interface EncodingOffer {
  encoding: string;
  preview: string;
}

/** The ways to read a file that is not UTF-8: the guess first. */
export interface EncodingOffers {
  /** An iconv name. */
  guess: string;
  /** 0 to 1. */
  confidence: number;
  offers: EncodingOffer[];
}

/** Encodings that people still have files in. The one that has a character for every byte comes last. */
const COMMON = [
  'windows-1250',
  'windows-1252',
  'iso-8859-2',
  'windows-1251',
  'koi8-r',
  'cp852',
  'windows-1253',
  'windows-1254',
  'shift_jis',
  'euc-jp',
  'gb18030',
  'big5',
  'euc-kr',
  'utf-16le',
  'utf-16be',
  'iso-8859-1',
];
const PREVIEW = 120;

/**
 * The encodings in which every byte of a file means a character, the guess first. Never empty.
 */
export function encodingOffers(bytes: Uint8Array): EncodingOffers {
  const { encoding: guess, confidence } = detectEncoding(bytes);
  const offers: EncodingOffer[] = [];
  for (const encoding of new Set([guess, ...COMMON])) {
    if (!iconv.encodingExists(encoding)) continue;
    if (/^utf-16/.test(encoding) && encoding !== guess) continue;
    const text = decodeBytes(bytes, encoding);
    if (text.includes('\uFFFD')) continue;
    offers.push({ encoding, preview: previewOf(text) });
  }
  return {
    guess: offers[0]?.encoding ?? guess,
    confidence: offers[0]?.encoding === guess ? confidence : 0,
    offers,
  };
}

/** The first line on which the encodings differ: one with a character that is not ASCII. */
function previewOf(text: string): string {
  const at = text.search(/[^\t\n\r\u0020-\u007e]/);
  const from = Math.max(text.lastIndexOf('\n', at) + 1, at - PREVIEW / 2);
  const end = text.indexOf('\n', at);
  return text.slice(from, Math.min(end < 0 ? text.length : end, from + PREVIEW)).trim();
}
