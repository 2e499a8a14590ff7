import { phrase } from '#contracts/phrases/phrase.js';
import { CliError } from '#cli/cli-error.js';
import { readFile } from 'node:fs/promises';
import type { NewChange } from '../contract/schemas.js';

/** The text to change, as the API expects it; `file` is null if the service stores the text. */
export interface Target {
  request: Pick<NewChange, 'chapter_id' | 'session_id' | 'of' | 'text'>;
  file: string | null;
}

/**
 * Returns the text that an argument of the command names: an ID of the service, else a file.
 *
 * @throws CliError if the file cannot be read or is not UTF-8
 */
export async function readTarget(given: string, of: 'document' | 'article' | undefined): Promise<Target> {
  if (/^ses_\w+$/.test(given)) return { request: { session_id: given, ...(of ? { of } : {}) }, file: null };
  if (of) throw new CliError(phrase('cli_error.of_session_only'));
  if (/^cha_\w+$/.test(given)) return { request: { chapter_id: given }, file: null };
  return { request: { text: await readText(given) }, file: given };
}

/** @throws CliError if the file cannot be read or is not UTF-8 */
export async function readText(path: string): Promise<string> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new CliError(phrase('cli_error.cannot_read', { file: path, code: String(error.code) }));
  });
  try {
    // Keeps a byte order mark, so that the file is written with it again.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new CliError(phrase('cli_error.not_utf8', { file: path }));
  }
}
