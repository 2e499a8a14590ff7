import { CliError } from '../cli-error.js';

/** Answers to a run's questions that were given on the command line. */
export interface GivenAnswers {
  /** Reference → `skip`, `use:NAME` or the path of a file; `text` and `action` for the questions of these kinds. */
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
