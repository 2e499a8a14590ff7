import type { LinkInline, Structure } from './schema.js';
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

/** The addresses of files that a document tells behind the words of its links (D20), each once. */
export function fileAddresses(structure: Structure): string[] {
  return [
    ...new Set(linksOf([structure.blocks, structure.notes]).flatMap((link) => fileAddress(link) ?? [])),
  ];
}

/** Links have no links in them. */
function linksOf(value: unknown): LinkInline[] {
  if (Array.isArray(value)) return value.flatMap(linksOf);
  if (typeof value !== 'object' || value === null) return [];
  const isLink = 'type' in value && value.type === 'link';
  return isLink ? [value as LinkInline] : Object.values(value).flatMap(linksOf);
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
