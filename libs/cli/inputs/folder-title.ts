import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';

/**
 * Returns the default title of a document from one folder: the folder's name in words (`2026_spring-review` →
 * `2026 spring review`). Returns undefined for files, whose headings serve as titles, and for several paths.
 */
export async function folderTitle(paths: readonly string[]): Promise<string | undefined> {
  const [only] = paths;
  if (only === undefined || paths.length > 1) return undefined;
  const path = resolve(only);
  if (!(await stat(path)).isDirectory()) return undefined;
  const words = basename(path)
    .replace(/[_\s]+/g, ' ')
    .replace(/(?<=[\p{L}\p{N}])-(?=\p{L})/gu, ' ')
    .trim();
  return /^\p{Ll}/u.test(words) ? words.charAt(0).toUpperCase() + words.slice(1) : words || undefined;
}
