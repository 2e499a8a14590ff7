import { phrase } from '#contracts/phrases/phrase.js';
import { stat } from 'node:fs/promises';
import { CliError } from '../cli-error.js';

/** Answers to a run's questions that were given on the command line. */
export interface GivenAnswers {
  /** `skip`, `use:NAME` or a file path by reference; the values of other fields, such as `text`, by name. */
  byReference: Map<string, string>;
  /** `'*=skip'`: each field without a value gets the default that its decision offers. */
  skipTheRest: boolean;
}

/**
 * Parses `ref=path`, `ref=skip`, `ref=use:NAME` and `*=skip`. The first `=` ends the reference; an `=` in a
 * reference is written as `%3D`.
 *
 * @throws CliError when an answer has another form
 */
export function readAnswers(options: string[]): GivenAnswers {
  const byReference = new Map<string, string>();
  let skipTheRest = false;
  for (const option of options) {
    const at = option.indexOf('=');
    const ref = option.slice(0, at).replaceAll('%3D', '=');
    const value = option.slice(at + 1);
    if (at <= 0 || value === '') {
      throw new CliError(phrase('cli_error.answer_syntax', { option }));
    }
    if (ref === '*' && value !== 'skip') throw new CliError(phrase('cli_error.answer_star', { option }));
    if (ref === '*') skipTheRest = true;
    else byReference.set(ref, value);
  }
  return { byReference, skipTheRest };
}

/** Matches fields such as `text` or `action`. References are file names, which usually have an extension. */
const FIELD = /^[a-z][a-z_]*$/;

/**
 * Checks before the work that all files among the answers exist.
 *
 * @throws CliError naming the first missing file
 */
export async function checkAnswers({ byReference }: GivenAnswers): Promise<void> {
  for (const [ref, value] of byReference) {
    if (!FIELD.test(ref) && !isWord(value) && !(await isEncoding(value))) await requireFile(ref, value);
  }
}

/** Returns whether an answer names an encoding. Loads the list of encodings only if the answer may be one. */
async function isEncoding(value: string): Promise<boolean> {
  if (!/^[\w-]+$/.test(value)) return false;
  return (await import('#extraction/encoding.js')).isKnownEncoding(value);
}

/** Returns whether an answer is not a path: `skip`, or `use:NAME` for a file of the session. */
export const isWord = (value: string) => value === 'skip' || value.startsWith('use:');

/**
 * @returns the path
 * @throws CliError if the path names no file
 */
export async function requireFile(ref: string, path: string): Promise<string> {
  const info = await stat(path).catch(() => undefined);
  if (!info?.isFile()) throw new CliError(phrase('cli_error.answer_file', { path, ref }));
  return path;
}
