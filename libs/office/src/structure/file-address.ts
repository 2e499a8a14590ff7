import type { LinkInline } from './schema.js';
import { plainText } from './text.js';

/** A path without a scheme (a drive is none), or a scheme that stands before paths only. */
const FILE = /^(?!#|\?)(?:(?![a-z][a-z0-9+.-]+:)|(?:file|ftp|smb):)/i;

/**
 * The address of a link to a file, as words: a document leads out of itself to web pages and mail only, and whoever has the file beside it
 * wants to know its name. Null for other links, for images that are links, and where the words of the link tell it.
 */
export function fileAddress({ url, content }: LinkInline): string | null {
  const address = readable(url.trim());
  const words = plainText(content);
  if (address === '' || words.trim() === '' || !FILE.test(address)) return null;
  return words.includes(address.replace(/^(?:\.\/)+/, '')) ? null : address;
}

/** Without percent signs in place of letters, where that leaves what can be shown. */
function readable(url: string): string {
  try {
    const decoded = decodeURIComponent(url);
    return /[\p{Cc}\p{Cf}]/u.test(decoded) ? url : decoded;
  } catch {
    return url;
  }
}
