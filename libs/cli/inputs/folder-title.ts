import { isSourceName } from '#contracts/file-kinds.js';
import { startsSmall, withCapital } from '#contracts/text.js';
import { folderOf, isOverview } from '#contracts/source-name.js';
import { readFile, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import type { InputFile } from './collect-files.js';

const WORD = /[\p{L}\p{N}]+/gu;
const HEADING = /^# (.+)$/m;

/**
 * Returns the default title of a document from one folder: the folder's name in words (`2026_spring-review` →
 * `2026 spring review`). Returns undefined for files and for several paths, and where the heading of the main source
 * says more: it is the folder's only text, or its overview with all words of the folder's name in its heading. Headings
 * then serve as titles.
 *
 * @param files the files of the paths
 */
export async function folderTitle(
  paths: readonly string[],
  files: readonly InputFile[],
): Promise<string | undefined> {
  const [only] = paths;
  if (only === undefined || paths.length > 1) return undefined;
  const path = resolve(only);
  if (!(await stat(path)).isDirectory()) return undefined;
  const [first, ...others] = files.filter(({ name }) => isSourceName(name));
  if (first && others.length === 0) return undefined;
  const words = basename(path)
    .replace(/[_\s]+/g, ' ')
    .replace(/(?<=[\p{L}\p{N}])-(?=\p{L})/gu, ' ')
    .trim();
  if (first && (await namesFolder(first, words))) return undefined;
  return startsSmall(words) ? withCapital(words) : words || undefined;
}

/** Returns whether a file is the folder's overview, and its heading contains all words of the folder's name. */
async function namesFolder({ name, path }: InputFile, words: string): Promise<boolean> {
  if (!isOverview(name) || folderOf(name) !== '' || !name.toLowerCase().endsWith('.md')) return false;
  const [, heading = ''] = HEADING.exec(await readFile(path, 'utf8')) ?? [];
  const inHeading = new Set(wordsOf(heading));
  const wanted = wordsOf(words);
  return wanted.length > 0 && wanted.every((word) => inHeading.has(word));
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(WORD) ?? [];
