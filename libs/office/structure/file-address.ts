import type { LinkInline, Structure } from '#contracts/structure.js';
import { plainText } from './text.js';

/** Matches paths without a scheme (a drive letter is not one) and schemes of files. */
const FILE = /^(?!#|\?)(?:(?![a-z][a-z0-9+.-]+:)|(?:file|ftp|smb):)/i;

/**
 * Returns the address of a link to a file, to be shown as text: documents link only to web pages and mail, but readers
 * with access to the file need its name. Null for other links, for linked images, and if the link's text contains the
 * address.
 */
export function fileAddress({ url, content }: LinkInline): string | null {
  const address = readable(url.trim());
  const words = plainText(content);
  if (address === '' || words.trim() === '' || !FILE.test(address)) return null;
  return words.includes(address.replace(/^(?:\.\/)+/, '')) ? null : address;
}

/** Returns the file addresses shown after the text of links in a document (D20), each once. */
export function fileAddresses(structure: Structure): string[] {
  return [
    ...new Set(
      linksOf([structure.blocks, structure.notes]).flatMap(
        (link) => (link.anchor === null ? fileAddress(link) : null) ?? [],
      ),
    ),
  ];
}

/** Collects links; links do not contain links. */
function linksOf(value: unknown): LinkInline[] {
  if (Array.isArray(value)) return value.flatMap(linksOf);
  if (typeof value !== 'object' || value === null) return [];
  const isLink = 'type' in value && value.type === 'link';
  return isLink ? [value as LinkInline] : Object.values(value).flatMap(linksOf);
}

/** Decodes percent-encoding unless the result contains control or invisible characters. */
function readable(url: string): string {
  try {
    const decoded = decodeURIComponent(url);
    return /[\p{Cc}\p{Cf}]/u.test(decoded) ? url : decoded;
  } catch {
    return url;
  }
}
