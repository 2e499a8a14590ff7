import { labelledEncoding, standardName } from '../encoding-labels.js';
import { decodeBytes } from '../encoding.js';

/** An encoded word (RFC 2047): charset with an optional language, `Q` or `B`, text. */
const WORD = /=\?([\w.:-]{1,60})(?:\*[\w-]{1,40})?\?([QB])\?([^?]{0,2000})\?=/gi;

/**
 * Rewrites encoded words in charsets that postal-mime does not know, such as cp850, as UTF-8; all others stay
 * unchanged, because a character may be split between two words.
 */
export function readableWords(header: string): string {
  return header.replace(WORD, (word, label: string, kind: string, text: string) => {
    const encoding = standardName(label) === undefined ? labelledEncoding(label) : undefined;
    if (encoding === undefined) return word;
    const bytes = kind.toUpperCase() === 'B' ? Buffer.from(text, 'base64') : quotedBytes(text);
    const decoded = decodeBytes(bytes, encoding);
    return `=?UTF-8?B?${Buffer.from(decoded).toString('base64')}?=`;
  });
}

function quotedBytes(text: string): Uint8Array {
  const latin = text
    .replaceAll('_', ' ')
    .replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(latin, 'latin1');
}
