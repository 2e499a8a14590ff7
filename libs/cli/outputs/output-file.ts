import { phrase, type Phrase } from '#contracts/phrases/phrase.js';
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { access, constants, mkdir, open, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve, extname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { CliError, explain, isFileError } from '../cli-error.js';
import { followCommand, type Place } from '../stack/data-dir.js';
import type { ExportFormat } from '#contracts/file-kinds.js';

/** Export format by file extension; a .zip contains Markdown with its assets. */
const FORMATS: Record<string, ExportFormat> = {
  '.docx': 'docx',
  '.pdf': 'pdf',
  '.epub': 'epub',
  '.zip': 'md',
};

/** Returns the format of a file by its extension; undefined for another one. */
export const exportFormatOf = (file: string): ExportFormat | undefined =>
  FORMATS[extname(file).toLowerCase()];

/** Returns the hint for the case that the results of a run could not be fetched or written. */
export const continueHint = (runId: string, place: Place): Phrase =>
  phrase('cli_error.run_saved', { command: followCommand(runId, place) });

/** Runs `fetch`; adds a recovery hint to its error. @throws CliError */
export async function withRecoveryHint<T>(remains: Phrase, fetch: () => Promise<T>): Promise<T> {
  return fetch().catch((error: unknown) => {
    throw new CliError(phrase('cli_error.with_hint', { problem: explain(error), hint: remains }));
  });
}

type Content = AsyncIterable<Uint8Array> | Uint8Array | string;

/**
 * Checks before the work that its result can be written. Creates the folder of the file.
 *
 * @throws CliError when the file is a folder, or cannot be written
 */
export async function requireWritable(file: string): Promise<void> {
  const info = await infoOf(file).catch((error: unknown) => {
    throw unwritable(file, error);
  });
  if (info?.isDirectory()) throw new CliError(phrase('cli_error.is_a_folder', { file }));
  await tryToWrite(file, info !== undefined && !info.isFile()).catch((error: unknown) => {
    throw unwritable(file, error);
  });
}

/** Returns whether a path is a folder. */
export const isFolder = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined))?.isDirectory() ?? false;

/**
 * Writes a file, which appears complete or not at all: after a failure, the previous file is unchanged. Pipes
 * and devices are written directly.
 *
 * @throws CliError when the file cannot be written; errors of the content
 */
export async function writeOutput(file: string, content: Content): Promise<void> {
  try {
    await makeFolder(dirname(resolve(file)));
    // Replace a symlink's target, not the link.
    const target = await realpath(file).catch(() => resolve(file));
    const info = await infoOf(target);
    if (info !== undefined && !info.isFile()) await pipeline(chunksOf(content), createWriteStream(target));
    else await replace(target, content);
  } catch (error) {
    throw isFileError(error) ? unwritable(file, error) : error;
  }
}

/** Returns content for `pipeline`. A stream is not read, and so cannot fail, before the file is open. */
const chunksOf = (content: Content): AsyncIterable<Uint8Array> | (Uint8Array | string)[] =>
  typeof content === 'object' && Symbol.asyncIterator in content ? content : [content];

async function replace(target: string, content: Content): Promise<void> {
  const partial = partialBeside(target);
  try {
    // Opened first: a stream that fails at once would otherwise create the file after its removal.
    const opened = await open(partial, 'w');
    await pipeline(chunksOf(content), opened.createWriteStream());
    await rename(partial, target);
  } finally {
    await rm(partial, { force: true });
  }
}

/** Creates the file's folder and tries to write in it. */
async function tryToWrite(file: string, isDevice: boolean): Promise<void> {
  if (isDevice) return access(file, constants.W_OK);
  await makeFolder(dirname(resolve(file)));
  const target = await realpath(file).catch(() => resolve(file));
  const probe = partialBeside(target);
  await writeFile(probe, '');
  await rm(probe);
  if ((await infoOf(target)) !== undefined) await access(target, constants.W_OK);
}

/**
 * Creates a folder and its parents. Node's recursive `mkdir` never ends where no folder can be created, as in
 * /proc.
 *
 * @throws errors of the file system
 */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && (await stat(folder)).isDirectory()) return;
    if (code !== 'ENOENT' || dirname(folder) === folder) throw error;
    await makeFolder(dirname(folder));
    // Another process may have created it in the meantime.
    await mkdir(folder).catch((again: NodeJS.ErrnoException) => {
      if (again.code !== 'EEXIST') throw again;
    });
  }
}

/** Returns the status of a path; undefined if nothing exists there. */
const infoOf = (file: string) =>
  stat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return undefined;
  });

const partialBeside = (file: string): string => join(dirname(file), `.scriptorium-${randomUUID()}.part`);

const unwritable = (file: string, error: unknown): CliError =>
  new CliError(phrase('cli_error.cannot_write', { file, reason: explain(error) }));
