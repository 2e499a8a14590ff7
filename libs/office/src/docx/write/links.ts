import { createHash } from 'node:crypto';
import { replaceIllegalXmlChars } from './illegal-xml-chars.js';

/** What a reader may follow out of a document; what other schemes start is nobody's wish, and a relative link points to no file of the reader's. */
const FOLLOWED = /^(?:https?:\/\/|mailto:)/i;

/**
 * The target of an external link as a URI that Word and its validator accept, or null when it may not be one: white space,
 * characters outside ASCII and stray percent signs are percent-encoded, everything else stays as it is. Only http, https and
 * mailto are links; the words of any other stay, as text.
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

/** Word refuses a whole document for one address that it cannot read. */
function isUri(url: string): boolean {
  const hasHost = /^https?:\/\/[^\s/?#[\]@:]/i.test(url.replace(/^(https?:\/\/)[^/?#]*@/i, '$1'));
  return URL.canParse(url) && (hasHost || /^mailto:/i.test(url));
}

const PLAIN_NAME = /^[A-Za-z][A-Za-z0-9_.-]{0,39}$/;

/** A bookmark's name for an id: the id itself where Word takes it (40 characters, a letter first), else a digest of it. */
export function bookmarkName(id: string): string {
  if (PLAIN_NAME.test(id)) return id;
  const words = id.replace(/[^A-Za-z0-9_]+/g, '_').slice(0, 24);
  return `b_${words}_${createHash('sha256').update(id).digest('hex').slice(0, 10)}`;
}
