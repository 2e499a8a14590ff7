import { createHash } from 'node:crypto';
import { replaceIllegalXmlChars } from './xml.js';

/** Allowed link schemes. Others may start programs; relative links would lead nowhere. */
const FOLLOWED = /^(?:https?:\/\/|mailto:)/i;

/**
 * Returns the target of an external link as a URI that Word and its validator accept; null if the link is not
 * allowed. Percent-encodes white space, non-ASCII characters and stray percent signs. Only http, https and
 * mailto are allowed; other links become plain text.
 */
export function linkTarget(url: string): string | null {
  const trimmed = url.trim();
  if (!FOLLOWED.test(trimmed)) return null;
  const encoded = replaceIllegalXmlChars(trimmed)
    .replace(/%(?![0-9a-f]{2})/gi, '%25')

    .replace(/[\u0000-\u0020"<>\\^`{|}\u007F-\u{10FFFF}]/gu, (char) => encodeURIComponent(char))
    .replace(/#(?=.*#)/g, '%23');
  return isUri(encoded) ? encoded : null;
}

/** Word rejects a whole document because of one invalid address. */
function isUri(url: string): boolean {
  const hasHost = /^https?:\/\/[^\s/?#[\]@:]/i.test(url.replace(/^(https?:\/\/)[^/?#]*@/i, '$1'));
  return URL.canParse(url) && (hasHost || /^mailto:/i.test(url));
}

const PLAIN_NAME = /^[A-Za-z][A-Za-z0-9_.-]{0,39}$/;

/**
 * Returns a bookmark name for an ID: the ID itself if Word accepts it (at most 40 characters, starting with a
 * letter), else one with a digest.
 */
export function bookmarkName(id: string): string {
  if (PLAIN_NAME.test(id)) return id;
  const words = id.replace(/[^A-Za-z0-9_]+/g, '_').slice(0, 24);
  return `b_${words}_${createHash('sha256').update(id).digest('hex').slice(0, 10)}`;
}

/** Beginning of the names of bookmarks that mark a line of the manuscript; Word hides names that begin so. */
export const PLACE_PREFIX = '_line_';
