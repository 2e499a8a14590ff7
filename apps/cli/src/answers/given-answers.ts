import { stat } from 'node:fs/promises';
import { CliError } from '../cli-error.js';

/** Answers to a run's questions that were given on the command line. */
export interface GivenAnswers {
  /** Reference → `skip`, `use:NAME` or the path of a file; other fields, such as `text` and `action`, as the answer's schema names them. */
  byReference: Map<string, string>;
  /** `'*=skip'`: whatever is not named is skipped, or takes the default that its question offers. */
  skipTheRest: boolean;
}

/**
 * Reads `ref=path`, `ref=skip`, `ref=use:NAME` and `*=skip`. The first `=` divides, unless a reference of its own
 * holds one: then write it as `%3D`.
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
      throw new CliError(`"${option}" is no answer: write REFERENCE=PATH or REFERENCE=skip.`);
    }
    if (ref === '*' && value !== 'skip') throw new CliError(`"${option}": for "*" the only answer is skip.`);
    if (ref === '*') skipTheRest = true;
    else byReference.set(ref, value);
  }
  return { byReference, skipTheRest };
}

/** The name of a field such as `text` or `action`; a reference is the name of a file, as a rule with an ending. */
const FIELD = /^[a-z][a-z_]*$/;

/**
 * Finds out before the work whether the files that are to be answers exist.
 *
 * @throws CliError naming the first that does not
 */
export async function checkAnswers({ byReference }: GivenAnswers): Promise<void> {
  for (const [ref, value] of byReference) {
    if (!FIELD.test(ref) && !isWord(value) && !(await isEncoding(value))) await requireFile(ref, value);
  }
}

/** An answer about a file that is not UTF-8. What knows all encodings is loaded only when somebody may name one. */
async function isEncoding(value: string): Promise<boolean> {
  if (!/^[\w-]+$/.test(value)) return false;
  return (await import('#extraction/encoding.js')).isKnownEncoding(value);
}

/** An answer that is no path: `skip`, or `use:NAME` for a file that the session has. */
export const isWord = (value: string) => value === 'skip' || value.startsWith('use:');

/**
 * @returns the path
 * @throws CliError when it leads to no file
 */
export async function requireFile(ref: string, path: string): Promise<string> {
  const info = await stat(path).catch(() => undefined);
  if (!info?.isFile()) throw new CliError(`There is no file "${path}" to use for "${ref}".`);
  return path;
}
