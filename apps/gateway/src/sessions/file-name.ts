import { ProblemError } from '#contracts/errors.js';
import { INVISIBLE } from '#contracts/names.js';

/** Stands for bytes of the name that were no UTF-8. */
const REPLACEMENT = '\ufffd';
const MAX_NAME_BYTES = 200;

/**
 * The name under which an uploaded file is known in its session: without folders, in Unicode NFC.
 *
 * @throws ProblemError `invalid_file_name`
 */
export function fileNameOf(name: string): string {
  const base = name
    .replace(/^.*[/\\]/, '')
    .normalize('NFC')
    .trim();
  const reject = (why: string) =>
    new ProblemError('invalid_file_name', `The file name ${why}. Rename the file and send it again.`);
  if (base === '') throw reject('is empty');
  if (base.includes('..')) throw reject('contains ".."');
  if (INVISIBLE.test(base)) throw reject('contains a control or an invisible character');
  if (!base.isWellFormed() || base.includes(REPLACEMENT)) throw reject('is not well-formed Unicode');
  if (Buffer.byteLength(base) > MAX_NAME_BYTES) throw reject(`is longer than ${MAX_NAME_BYTES} bytes`);
  return base;
}
