import { createHash } from 'node:crypto';
import { legalText } from './legal.js';

/**
 * The target of an external link as a URI that Word and its validator accept, or null when there is none: white space,
 * characters outside ASCII and stray percent signs are percent-encoded, everything else stays as it is.
 */
export function linkTarget(url: string): string | null {
  const trimmed = url.trim();
  if (trimmed === '' || trimmed.startsWith('#')) return null;
  const encoded = legalText(trimmed)
    .replace(/%(?![0-9a-f]{2})/gi, '%25')

    .replace(/[\u0000-\u0020"<>\\^`{|}\u007F-\u{10FFFF}]/gu, (char) => encodeURIComponent(char))
    .replace(/#(?=.*#)/g, '%23');
  return isUri(encoded) ? encoded : null;
}

/** Word refuses a whole document for one address that it cannot read. */
function isUri(url: string): boolean {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1]?.toLowerCase();
  if (url.startsWith('//') || scheme === 'http' || scheme === 'https' || scheme === 'ftp') {
    return (
      URL.canParse(url, 'http://base.invalid/') &&
      /^(?:[a-z]+:)?\/\/[^\s/?#[\]@:]/i.test(url.replace(/^([a-z]+:\/\/)[^/?#]*@/i, '$1'))
    );
  }
  if (scheme) return URL.canParse(url);
  return !/^[^/?#]*:/.test(url) && URL.canParse(url, 'http://base.invalid/');
}

const PLAIN_NAME = /^[A-Za-z][A-Za-z0-9_.-]{0,39}$/;

/** A bookmark's name for an id: the id itself where Word takes it (40 characters, a letter first), else a digest of it. */
export function bookmarkName(id: string): string {
  if (PLAIN_NAME.test(id)) return id;
  const words = id.replace(/[^A-Za-z0-9_]+/g, '_').slice(0, 24);
  return `b_${words}_${createHash('sha256').update(id).digest('hex').slice(0, 10)}`;
}
