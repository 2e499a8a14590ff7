import type { Dirent } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { normalizeSourceName } from '#contracts/source-name.js';
import { isSourceName, TEXT_SAMPLE_BYTES, textProblem } from '#extraction/file-kinds.js';
import { CliError, explain } from '../cli-error.js';

/** A file to upload. `name` is what it is called in the session: a relative path with "/" (D7). */
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
  /**
   * What is not sent, each with the reason: empty files, and entries of folders that are hidden, links, unreadable, binary in spite of their
   * name, of a kind that is not sent, or whose name cannot be used.
   */
  leftOut: { path: string; reason: string }[];
}

interface Found {
  path: string;
  size: number;
  /** Its name in the session, before it is normalised. */
  relative: string;
  /** Named by the person, not found in a folder: it cannot be left out. */
  isNamed: boolean;
  /** Why it cannot be sent, where that shows before it is opened. */
  oddity?: string;
}

/**
 * Collects the files that the arguments of `write` mean: a file means itself, a folder all regular files in it and below, except
 * hidden ones (`.git`, `.DS_Store`).
 *
 * A file of a folder is named by its path in that folder. When there are several arguments, the folder's own name comes first, so that
 * `notes.md img` keeps the path by which the notes refer to a picture.
 *
 * @throws CliError when an argument does not exist or cannot be sent, two files have one name, or there is nothing to upload
 */
export const collectFiles = (paths: string[]): Promise<CollectedFiles> => collect(paths, () => undefined);

/** As `collectFiles`, of files that have a text to be found in; pictures beside them are left out. */
export const collectSources = (paths: string[]): Promise<CollectedFiles> => collect(paths, textless);

/** Why there is no text to be had from a file of such a name. */
function textless(name: string): string | undefined {
  if (/\.doc$/i.test(name))
    return 'it is in the old Word format (save it as .docx; without Word: soffice --convert-to docx)';
  return isSourceName(name) ? undefined : 'no text can be read from such a file';
}

/** @param unfit says why a file of a name cannot be sent */
async function collect(
  paths: string[],
  unfit: (name: string) => string | undefined,
): Promise<CollectedFiles> {
  const found: Found[] = [];
  for (const path of paths) found.push(...(await filesOf(resolve(path), path, paths.length > 1)));
  const distinct = new Map<string, Found>();
  for (const file of found) distinct.set(file.path, merge(file, distinct.get(file.path)));
  const leftOut: CollectedFiles['leftOut'] = [];
  const taken: Found[] = [];
  for (const file of distinct.values()) {
    const isEmpty = file.size === 0;
    const reason =
      file.oddity ??
      (isEmpty ? 'it is empty' : (oddName(file) ?? unfit(file.path) ?? (await oddityOf(file))));
    if (reason === undefined) taken.push(file);
    else if (file.isNamed && file.size > 0) throw new CliError(`"${file.path}" cannot be sent: ${reason}.`);
    else leftOut.push({ path: file.path, reason });
  }
  const files = named(taken);
  if (files.length === 0) {
    throw new CliError(
      `There is nothing to take: ${paths.join(', ')} holds no file that is not empty, hidden or of a kind that cannot be sent.`,
    );
  }
  const collator = new Intl.Collator('en', { numeric: true });
  return { files: files.sort((a, b) => collator.compare(a.name, b.name)), leftOut };
}

/** Names each file that is not sent, with why. */
export function tellLeftOut(leftOut: CollectedFiles['leftOut'], say: (message: string) => void): void {
  for (const { path, reason } of leftOut) say(`left out, because ${reason}: ${path}`);
}

/** Merges two findings of one file, in a folder and as an argument: it keeps its path in the folder and cannot be left out. */
function merge(file: Found, other: Found | undefined): Found {
  if (other === undefined) return file;
  const { relative } = file.relative.length > other.relative.length ? file : other;
  return { ...(other.isNamed ? other : file), relative };
}

/** @param isOneOfMany there are other arguments, so that names begin with the folder's own */
async function filesOf(path: string, asWritten: string, isOneOfMany: boolean): Promise<Found[]> {
  const info = await stat(path).catch((error: NodeJS.ErrnoException) => {
    const isMissing = error.code === 'ENOENT' || error.code === 'ENOTDIR';
    throw new CliError(isMissing ? `There is no file or folder "${asWritten}".` : explain(error));
  });
  if (info.isFile()) return [{ path, size: info.size, relative: basename(path), isNamed: true }];
  if (!info.isDirectory()) throw new CliError(`"${asWritten}" is neither a file nor a folder.`);
  return filesBelow(path, path, isOneOfMany ? dirname(path) : path);
}

/** @param root folder that names are relative to */
async function filesBelow(folder: string, given: string, root: string): Promise<Found[]> {
  const below = (path: string) => relative(root, path).split(sep).join('/');
  const odd = (path: string, oddity: string): Found => {
    return { path, size: 0, relative: below(path), isNamed: false, oddity };
  };
  let entries: Dirent[];
  try {
    entries = await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (folder === given) throw new CliError(`"${folder}" ${unreadable(error)}.`);
    return [odd(folder, `it ${unreadable(error)}`)];
  }
  const found: Found[] = [];
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.name.startsWith('.')) found.push(odd(path, 'it is hidden'));
    else if (entry.isDirectory()) found.push(...(await filesBelow(path, given, root)));
    else if (entry.isSymbolicLink()) found.push(odd(path, 'it is a symbolic link'));
    else if (!entry.isFile()) found.push(odd(path, 'it is neither a file nor a folder'));
    else found.push({ path, size: (await stat(path)).size, relative: below(path), isNamed: false });
  }
  return found;
}

const unreadable = (error: unknown): string =>
  `cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown error'})`;

/** Why a file cannot be sent; undefined when it can. */
async function oddityOf({ path }: Found): Promise<string | undefined> {
  let sample: Buffer;
  try {
    const file = await open(path);
    const { bytesRead, buffer } = await file
      .read(Buffer.alloc(TEXT_SAMPLE_BYTES))
      .finally(() => file.close());
    sample = buffer.subarray(0, bytesRead);
  } catch (error) {
    return `it ${unreadable(error)}`;
  }
  const problem = textProblem(path, sample);
  return problem && TEXT_PROBLEMS[problem];
}

const TEXT_PROBLEMS = { empty: 'it is empty', binary: 'it is no text in spite of its name' };

/** Returns the reason a file's name cannot be used; undefined for a usable name. */
function oddName({ relative }: Found): string | undefined {
  const { problem } = normalizeSourceName(relative);
  return problem === undefined ? undefined : `its name ${problem}`;
}

/** Gives each file its name in the session. */
function named(found: Found[]): InputFile[] {
  const seen = new Map<string, string>();
  return found.map(({ path, size, relative }) => {
    const name = normalizeSourceName(relative).name!;
    const other = seen.get(name);
    if (other !== undefined)
      throw new CliError(
        `"${other}" and "${path}" would both be called "${name}": send the folder that holds both, or rename one of them.`,
      );
    seen.set(name, path);
    return { path, size, name };
  });
}
