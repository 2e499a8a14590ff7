import iconv from 'iconv-lite';
import { nameNulBytes } from './encoding-labels.js';
import { decodeBytes, detectEncoding } from './encoding.js';

/** Possible encoding of a file, with a sample line decoded in it. */
interface EncodingOffer {
  encoding: string;
  preview: string;
}

/** Possible encodings of a file that is not UTF-8, the best guess first. */
export interface EncodingOffers {
  /** iconv name. */
  guess: string;
  /** Confidence of the guess, from 0 to 1. */
  confidence: number;
  offers: EncodingOffer[];
}

/** Encodings in common use. ISO 8859-1 maps every byte to a character and therefore comes last. */
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

const isWide = (encoding: string) => encoding.startsWith('utf-16');

/**
 * Returns the encodings in which every byte of a file decodes to a character, the guess first. Never empty.
 */
export function encodingOffers(bytes: Uint8Array): EncodingOffers {
  const { encoding: guess, confidence } = detectEncoding(bytes);
  const offers: EncodingOffer[] = [];
  for (const encoding of new Set([guess, ...COMMON])) {
    if (!iconv.encodingExists(encoding)) continue;
    // UTF-16 has a zero byte for each ASCII character, which no other encoding has.
    if ((isWide(encoding) || isWide(guess)) && encoding !== guess) continue;
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

/** Returns the first line that the encoding affects, because it contains a non-ASCII character. */
function previewOf(decoded: string): string {
  const text = nameNulBytes(decoded);
  const at = text.search(/[^\t\n\r\u0020-\u007e]/);
  const from = Math.max(text.lastIndexOf('\n', at) + 1, at - PREVIEW / 2);
  const end = text.indexOf('\n', at);
  return text.slice(from, Math.min(end < 0 ? text.length : end, from + PREVIEW)).trim();
}
