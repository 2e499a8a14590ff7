import { hasInvisible } from './invisible.js';
import { phrase, type Phrase } from './phrases/phrase.js';

/** Decoders replace bytes that are not UTF-8 by this character. */
const REPLACEMENT = '\ufffd';
const MAX_PART_BYTES = 200;
export const MAX_SOURCE_NAME_BYTES = 1_000;

/** A usable name, or why a name cannot be used: a phrase whose words follow "The file name". */
type NormalizedName = { name: string; problem?: undefined } | { name?: undefined; problem: Phrase };

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
  if (path.startsWith('/')) return { problem: phrase('file_name.absolute') };
  if (path.includes('\\')) return { problem: phrase('file_name.backslash') };
  if (kept.includes('..')) return { problem: phrase('file_name.parent_folder') };
  // The dots may be followed by an encoded slash or a character that looks like one.
  if (kept.some((part) => part.startsWith('..'))) return { problem: phrase('file_name.two_dots') };
  if (name === '') return { problem: phrase('file_name.empty') };
  if (path.endsWith('/')) return { problem: phrase('file_name.folder') };
  if (hasInvisible(path)) return { problem: phrase('file_name.invisible') };
  if (!path.isWellFormed() || path.includes(REPLACEMENT)) return { problem: phrase('file_name.unicode') };
  if (kept.some((part) => byteLength(part) > MAX_PART_BYTES))
    return { problem: phrase('file_name.long_part', { max: MAX_PART_BYTES }) };
  if (byteLength(name) > MAX_SOURCE_NAME_BYTES)
    return { problem: phrase('file_name.long', { max: MAX_SOURCE_NAME_BYTES }) };
  return { name };
}

const collator = new Intl.Collator('en', { numeric: true });

/** Files that tell what the others in their folder are about. */
const OVERVIEW = /^(?:readme|overview)(?:\.|$)/i;

/** Returns whether a source tells what the others in its folder are about. */
export const isOverview = (name: string): boolean => OVERVIEW.test(baseName(name));

/**
 * Compares names of sources for the order in which to read them: in each folder README and overview first, then files and folders in natural
 * order (`2.md` before `10.md`). Only equal names return 0.
 */
export function compareNames(a: string, b: string): number {
  const [left, right] = [a.split('/'), b.split('/')];
  const at = left.findIndex((part, place) => part !== right[place]);
  if (at < 0 || at >= right.length) return left.length - right.length;
  const [own = '', other = ''] = [left[at], right[at]];
  const isFirst = (parts: string[]) => at === parts.length - 1 && isOverview(parts[at]!);
  return (
    Number(isFirst(right)) - Number(isFirst(left)) || collator.compare(own, other) || (own < other ? -1 : 1)
  );
}

/** Returns the last part of a source's name: the name without its folders. */
export function baseName(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}

/** Returns the folder of a source, with "/" at its end; an empty string for a source outside any folder. */
export function folderOf(name: string): string {
  return name.slice(0, name.lastIndexOf('/') + 1);
}

/** Returns the folders above a source, each with "/" at its end; the outermost one first. */
export function foldersAbove(name: string): string[] {
  const parts = name.split('/').slice(0, -1);
  return parts.map((_, depth) => `${parts.slice(0, depth + 1).join('/')}/`);
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
