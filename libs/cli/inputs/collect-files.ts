import { translate } from '../language.js';
import type { Dirent } from 'node:fs';
import { open, readdir, stat, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { phrase } from '#contracts/phrases/phrase.js';
import { compareNames, normalizeSourceName } from '#contracts/source-name.js';
import { isSourceName, TEXT_SAMPLE_BYTES, textProblem } from '#contracts/file-kinds.js';
import { CliError, explain } from '../cli-error.js';

/** File to upload. `name` is its name in the session: a relative path with "/" (D7). */
export interface InputFile {
  name: string;
  /** absolute */
  path: string;
  /** bytes */
  size: number;
}

interface CollectedFiles {
  /** Files to send, in natural order of their names (`2.md` before `10.md`), the order of the chapters. */
  files: InputFile[];
  /**
   * Files that are not sent, with reasons: empty files, and entries of folders that are hidden, links,
   * unreadable, binary despite their name, of an unsupported kind or with an unusable name.
   */
  leftOut: { path: string; reason: string }[];
}

interface Found {
  path: string;
  size: number;
  /** Name in the session before normalisation. */
  relative: string;
  /** Named on the command line, not found in a folder: rejecting it is an error, unless it is empty. */
  isNamed: boolean;
  /** Reason not to send the file that is known before it is opened. */
  rejection?: string;
}

/**
 * Collects the files that the arguments of `write` name. Folders are read recursively, without hidden entries
 * (`.git`, `.DS_Store`).
 *
 * The name of a file from a folder is its path in that folder. With several arguments, it starts with the
 * folder's name, so that with `notes.md img` the references of the notes to pictures remain valid.
 *
 * @param outputs absolute paths of files and folders that the command itself writes; left out of folders
 * @throws CliError when an argument does not exist or cannot be sent, two files have the same name, or no
 * file is left to upload
 */
export const collectFiles = (paths: string[], outputs: readonly string[] = []): Promise<CollectedFiles> =>
  collect(paths, () => undefined, outputs);

/** Like `collectFiles`, but accepts only files with text, no pictures. */
export const collectSources = (paths: string[]): Promise<CollectedFiles> => collect(paths, textless, []);

/** Returns why no text can be read from a file with this name; undefined if text can be read. */
function textless(name: string): string | undefined {
  return isSourceName(name) ? undefined : translate(phrase('left_out.unknown_type'));
}

/** @param unfit returns why a file with a name cannot be sent; undefined if it can */
async function collect(
  paths: string[],
  unfit: (name: string) => string | undefined,
  outputs: readonly string[],
): Promise<CollectedFiles> {
  const found: Found[] = [];
  for (const path of paths) found.push(...(await filesOf(resolve(path), path, paths.length > 1, outputs)));
  const distinct = new Map<string, Found>();
  for (const file of found) distinct.set(file.path, merge(file, distinct.get(file.path)));
  const leftOut: CollectedFiles['leftOut'] = [];
  const taken: Found[] = [];
  for (const file of distinct.values()) {
    const isEmpty = file.size === 0;
    const reason =
      file.rejection ??
      (isEmpty
        ? translate(phrase('left_out.empty'))
        : (nameProblem(file) ?? unfit(file.path) ?? (await rejectionReason(file))));
    if (reason === undefined) taken.push(file);
    else if (file.isNamed && file.size > 0)
      throw new CliError(phrase('cli_error.cannot_send', { file: file.path, reason }));
    else leftOut.push({ path: file.path, reason });
  }
  const files = named(taken);
  if (files.length === 0) {
    throw new CliError(phrase('cli_error.no_files', { paths: paths.join(', ') }));
  }
  return { files: files.sort((a, b) => compareNames(a.name, b.name)), leftOut };
}

/** Reports each file that is not sent, with the reason. */
export function reportSkipped(leftOut: CollectedFiles['leftOut'], say: (message: string) => void): void {
  for (const { path, reason } of leftOut) say(translate(phrase('cli.skipped', { path, reason })));
}

/** Merges two entries of a file: uses the longer relative path, and keeps `isNamed` if either has it. */
function merge(file: Found, other: Found | undefined): Found {
  if (other === undefined) return file;
  const { relative } = file.relative.length > other.relative.length ? file : other;
  return { ...(other.isNamed ? other : file), relative };
}

/** @param isOneOfMany there are other arguments, so that names start with the folder's name */
async function filesOf(
  path: string,
  asWritten: string,
  isOneOfMany: boolean,
  outputs: readonly string[],
): Promise<Found[]> {
  const info = await stat(path).catch((error: NodeJS.ErrnoException) => {
    const isMissing = error.code === 'ENOENT' || error.code === 'ENOTDIR';
    throw new CliError(isMissing ? phrase('cli_error.not_found', { name: asWritten }) : explain(error));
  });
  if (info.isFile()) return [{ path, size: info.size, relative: basename(path), isNamed: true }];
  if (!info.isDirectory()) throw new CliError(phrase('cli_error.no_file_or_folder', { name: asWritten }));
  return filesBelow(path, path, isOneOfMany ? dirname(path) : path, outputs);
}

/** @param root folder that names are relative to */
async function filesBelow(
  folder: string,
  given: string,
  root: string,
  outputs: readonly string[],
): Promise<Found[]> {
  const below = (path: string) => relative(root, path).split(sep).join('/');
  const rejected = (path: string, rejection: string): Found => {
    return { path, size: 0, relative: below(path), isNamed: false, rejection };
  };
  let entries: Dirent[];
  try {
    entries = await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (folder === given)
      throw new CliError(phrase('cli_error.cannot_read', { file: folder, code: codeOf(error) }));
    return [rejected(folder, unreadable(error))];
  }
  const found: Found[] = [];
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.name.startsWith('.')) found.push(rejected(path, translate(phrase('left_out.hidden'))));
    else if (outputs.includes(path)) found.push(rejected(path, translate(phrase('left_out.output'))));
    else if (entry.isDirectory()) found.push(...(await filesBelow(path, given, root, outputs)));
    else if (entry.isSymbolicLink()) found.push(rejected(path, translate(phrase('left_out.link'))));
    else if (!entry.isFile()) found.push(rejected(path, translate(phrase('left_out.no_file'))));
    else found.push(await fileAt(path, below(path)));
  }
  return found;
}

/** Returns a file of a folder. If its name is not UTF-8, it cannot be found by the name that Node reports. */
async function fileAt(path: string, relative: string): Promise<Found> {
  try {
    return { path, size: (await stat(path)).size, relative, isNamed: false };
  } catch (error) {
    return { path, size: 0, relative, isNamed: false, rejection: unreadable(error) };
  }
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? 'unknown error';

const unreadable = (error: unknown): string =>
  translate(phrase('left_out.cannot_read', { code: codeOf(error) }));

/** Reads the start of a file. Returns why the file cannot be sent; undefined if it can. */
async function rejectionReason({ path }: Found): Promise<string | undefined> {
  let sample: Buffer;
  try {
    const file = await open(path);
    sample = await firstBytes(file).finally(() => file.close());
  } catch (error) {
    return unreadable(error);
  }
  const problem = textProblem(path, sample);
  return problem && translate(phrase(`left_out.${problem}`));
}

/** Reads the sample of a file that `textProblem` needs; skips the hole of a log that was cut while in use. */
async function firstBytes(file: FileHandle): Promise<Buffer> {
  for (;;) {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(TEXT_SAMPLE_BYTES));
    const sample = buffer.subarray(0, bytesRead);
    if (bytesRead < TEXT_SAMPLE_BYTES || sample.some((byte) => byte !== 0)) return sample;
  }
}

/** Returns the reason a file's name cannot be used; undefined for a usable name. */
function nameProblem({ relative }: Found): string | undefined {
  const { problem } = normalizeSourceName(relative);
  return problem === undefined ? undefined : translate(phrase('left_out.name', { problem }));
}

/** Gives each file its name in the session. @throws CliError when two files have the same name */
function named(found: Found[]): InputFile[] {
  const seen = new Map<string, string>();
  return found.map(({ path, size, relative }) => {
    const name = normalizeSourceName(relative).name!;
    const other = seen.get(name);
    if (other !== undefined) throw new CliError(phrase('cli_error.same_name', { other, path, name }));
    seen.set(name, path);
    return { path, size, name };
  });
}
