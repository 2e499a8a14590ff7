import { readdir, stat } from 'node:fs/promises';
import { basename, join, relative, resolve, sep } from 'node:path';
import { CliError } from '../cli-error.js';

/** A file to upload. `name` is what it is called in the session, which has no folders. */
export interface InputFile {
  name: string;
  /** absolute */
  path: string;
  /** bytes */
  size: number;
}

export interface CollectedFiles {
  /** In natural order of their names (`2.md` before `10.md`), which is the order of the chapters. */
  files: InputFile[];
  /** Empty files found in folders, which hold nothing to write about. */
  leftOut: string[];
}

interface Found {
  path: string;
  size: number;
  /** Path below the folder it was found in, with "/". */
  relative: string;
}

/**
 * The files that the arguments of `write` mean: a file means itself, a folder all regular files in it and below.
 * Hidden files and folders (`.git`, `.DS_Store`) and symbolic links in a folder are not taken.
 *
 * A file below a sub-folder keeps its own name, because sources refer to it by that name, unless another file has the
 * same one: then its path is its name, with "__" for each "/".
 *
 * @throws CliError when an argument does not exist, two files have one name, or there is nothing to upload
 */
export async function collectFiles(paths: string[]): Promise<CollectedFiles> {
  const found: Found[] = [];
  for (const path of paths) found.push(...(await filesOf(resolve(path), path)));
  const distinct = [...new Map(found.map((file) => [file.path, file])).values()];
  const leftOut = distinct.filter(({ size }) => size === 0).map(({ path }) => path);
  const files = named(distinct.filter(({ size }) => size > 0));
  if (files.length === 0) {
    throw new CliError(
      `There is nothing to write about: ${paths.join(', ')} holds no file that is not empty or hidden.`,
    );
  }
  const collator = new Intl.Collator('en', { numeric: true });
  return { files: files.sort((a, b) => collator.compare(a.name, b.name)), leftOut };
}

async function filesOf(path: string, asWritten: string): Promise<Found[]> {
  const info = await stat(path).catch(() => undefined);
  if (info === undefined) throw new CliError(`There is no file or folder "${asWritten}".`);
  if (info.isFile()) return [{ path, size: info.size, relative: basename(path) }];
  if (!info.isDirectory()) throw new CliError(`"${asWritten}" is neither a file nor a folder.`);
  return filesBelow(path, path);
}

async function filesBelow(folder: string, root: string): Promise<Found[]> {
  const found: Found[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.name.startsWith('.')) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) found.push(...(await filesBelow(path, root)));
    if (!entry.isFile()) continue;
    found.push({ path, size: (await stat(path)).size, relative: relative(root, path).split(sep).join('/') });
  }
  return found;
}

/** Gives each file its name in the session. Names that differ in case only count as the same. */
function named(found: Found[]): InputFile[] {
  const fold = (name: string) => name.normalize('NFC').toLowerCase();
  const nameOf = (path: string) => path.split('/').at(-1)!;
  const uses = new Map<string, number>();
  for (const { relative: path } of found) {
    const name = fold(nameOf(path));
    uses.set(name, (uses.get(name) ?? 0) + 1);
  }
  const files = found.map(({ path, size, relative: below }) => {
    const isAlone = uses.get(fold(nameOf(below))) === 1;
    return { path, size, name: isAlone ? nameOf(below) : below.replaceAll('/', '__') };
  });
  const seen = new Map<string, string>();
  for (const { name, path } of files) {
    const other = seen.get(name);
    if (other !== undefined) {
      throw new CliError(`"${other}" and "${path}" would both be called "${name}": rename one of them.`);
    }
    seen.set(name, path);
  }
  return files;
}
