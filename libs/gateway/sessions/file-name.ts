import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { normalizeSourceName } from '#contracts/source-name.js';

/**
 * Returns the name under which an uploaded file is known: a relative path in Unicode NFC (D7).
 *
 * @throws ProblemError `invalid_file_name`
 */
export function fileNameOf(given: string): string {
  const { name, problem } = normalizeSourceName(given);
  if (name !== undefined) return name;
  throw new ProblemError('invalid_file_name', phrase('invalid_file_name.rename', { problem }));
}
