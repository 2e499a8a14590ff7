import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';

/**
 * What a document from a folder is called when nobody says: as the folder, in words (`2026_spring-review` → `2026 spring review`). Undefined for
 * single files, whose own headings say it.
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
