import { hasInvisible } from './invisible.js';

/** Decoders replace bytes that are not UTF-8 by this character. */
const REPLACEMENT = '\ufffd';
const MAX_PART_BYTES = 200;
export const MAX_SOURCE_NAME_BYTES = 1_000;

/** A usable name, or why a name cannot be used: words that follow "The file name". */
export type NormalizedName = { name: string; problem?: undefined } | { name?: undefined; problem: string };

/**
 * Normalises the name of a source: a relative POSIX path in Unicode NFC, without `.` and empty parts, and
 * without white space around its parts (D7). Two dots within or at the end of a part, as in `Fenn et
 * al..md`, belong to the name.
 */
export function normalizeSourceName(given: string): NormalizedName {
  const path = given.normalize('NFC').trim();
  const parts = path.split('/').map((part) => part.trim());
  const kept = parts.filter((part) => part !== '' && part !== '.');
  const name = kept.join('/');
  if (path.startsWith('/'))
    return { problem: 'begins with "/": send a path relative to the folder of the sources' };
  if (path.includes('\\')) return { problem: 'contains "\\": separate folders with "/"' };
  if (kept.includes('..')) return { problem: 'contains ".." as a folder' };
  // The dots may be followed by an encoded slash or a character that looks like one.
  if (kept.some((part) => part.startsWith('..'))) return { problem: 'has a part that begins with ".."' };
  if (name === '') return { problem: 'is empty' };
  if (path.endsWith('/')) return { problem: 'ends with "/": it names a folder' };
  if (hasInvisible(path)) return { problem: 'contains a control or an invisible character' };
  if (!path.isWellFormed() || path.includes(REPLACEMENT)) return { problem: 'is not well-formed Unicode' };
  if (kept.some((part) => byteLength(part) > MAX_PART_BYTES))
    return { problem: `has a part that is longer than ${MAX_PART_BYTES} bytes` };
  if (byteLength(name) > MAX_SOURCE_NAME_BYTES)
    return { problem: `is longer than ${MAX_SOURCE_NAME_BYTES} bytes` };
  return { name };
}

/** Returns the last part of a source's name: the name without its folders. */
export function baseName(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}

/** Returns the folder of a source, with "/" at its end; an empty string for a source outside any folder. */
export function folderOf(name: string): string {
  return name.slice(0, name.lastIndexOf('/') + 1);
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
