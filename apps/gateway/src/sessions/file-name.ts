import { ProblemError } from '#contracts/errors.js';

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

  if (/[\u0000-\u001f\u007f\u202a-\u202e\u2066-\u2069]/.test(base))
    throw reject('contains a control character');
  if (!base.isWellFormed()) throw reject('is not well-formed Unicode');
  if (Buffer.byteLength(base) > MAX_NAME_BYTES) throw reject(`is longer than ${MAX_NAME_BYTES} bytes`);
  return base;
}
