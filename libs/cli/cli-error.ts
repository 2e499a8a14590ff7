import { phrase } from '#contracts/phrases/phrase.js';
import { translate } from './language.js';
import type { ProblemCode } from '#contracts/errors.js';

/** Failure that the person at the terminal can act on; only its `message` is shown. */
export class CliError extends Error {
  override readonly name = 'CliError';

  /**
   * @param code the problem's stable code, when the service gave one
   */
  constructor(
    message: string,
    readonly code?: ProblemCode,
  ) {
    super(message);
  }
}

/** Returns an error that explains, with its stable code, why a run did not complete. */
export function failedRun({
  status,
  error,
}: {
  status: string;
  error: { code: string; message: string } | null;
}): CliError {
  return new CliError(
    error ? `${error.message} (${error.code})` : translate(phrase('cli.run_ended', { status })),
  );
}

/** Reason and advice for error codes of the file system. */
const FILE_ERRORS: Record<string, string> = {
  EACCES: 'permission denied. Change its permissions, or choose another path.',
  EPERM: 'permission denied. Change its permissions, or choose another path.',
  EROFS: 'the file system is read-only. Choose another path.',
  ENOSPC: 'the disk is full. Free some space, or choose another path.',
  EDQUOT: 'your disk quota is used up. Free some space, or choose another path.',
  EFBIG: 'the file exceeds the size limit. Raise the limit, or choose another path.',
  EIO: 'the disk reported an I/O error. Choose another path.',
  ENOTDIR: 'a part of its path is a file, not a folder. Choose another path.',
  EEXIST: 'a part of its path is a file, not a folder. Choose another path.',
  ENAMETOOLONG: 'its name is too long. Choose a shorter one.',
  ELOOP: 'its path contains a loop of symbolic links. Choose another path.',
  ENOENT: 'no such file or folder.',
  EISDIR: 'it is a folder, not a file.',
};

/** Returns whether an error comes from the file system. If a write failed, it lacks a `path`. */
export function isFileError(error: unknown): error is NodeJS.ErrnoException & { code: string } {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' && Object.hasOwn(FILE_ERRORS, code);
}

/** Returns the text to print for an error: its message if it is meant for people, else the stack trace. */
export function explain(error: unknown): string {
  if (error instanceof CliError) return error.message;
  if (isFileError(error)) return [error.path, FILE_ERRORS[error.code]].filter(Boolean).join(': ');
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
