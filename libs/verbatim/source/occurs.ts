import { hasWords } from '#contracts/text.js';

const MAX_TRIES = 10_000;

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const TIME = /^\d{1,2}:\d{2}(?::\d{2})?$/;

/**
 * Returns whether the text contains the token without an adjacent letter or digit. Case-sensitive. The date and the
 * time of `2026-03-12T03:02:41Z` are tokens of their own.
 */
export function occursIn(token: string, text: string): boolean {
  let tries = 0;
  for (let at = text.indexOf(token); at >= 0 && tries < MAX_TRIES; at = text.indexOf(token, at + 1)) {
    if (begins(token, text, at) && ends(token, text, at + token.length)) return true;
    tries++;
  }
  return false;
}

const begins = (token: string, text: string, at: number): boolean =>
  !isWordChar(text, at - 1) || (TIME.test(token) && /\dT$/.test(text.slice(Math.max(0, at - 2), at)));

const ends = (token: string, text: string, end: number): boolean =>
  !isWordChar(text, end) ||
  (DATE.test(token) && /^T\d/.test(text.slice(end, end + 2))) ||
  (TIME.test(token) && /^Z(?![\p{L}\p{N}])/u.test(text.slice(end, end + 2)));

function isWordChar(text: string, at: number): boolean {
  return at >= 0 && at < text.length && hasWords(text.charAt(at));
}
