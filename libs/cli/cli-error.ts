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
  return new CliError(error ? `${error.message} (${error.code})` : `The run ended as ${status}.`);
}

/** Reason and advice for error codes of the file system. */
const FILE_ERRORS: Record<string, string> = {
  EACCES: 'no permission. Change the rights of it, or name another place.',
  EPERM: 'no permission. Change the rights of it, or name another place.',
  EROFS: 'it lies on a disk that can only be read. Name another place.',
  ENOSPC: 'the disk is full. Make room, or name another place.',
  EDQUOT: 'there is no more room for you. Make room, or name another place.',
  EFBIG: 'files may not grow as large as that here. Raise the limit, or name another place.',
  EIO: 'the disk does not answer as it should. Name another place.',
  ENOTDIR: 'a part of its path is a file. Name another place.',
  EEXIST: 'a part of its path is a file. Name another place.',
  ENAMETOOLONG: 'its name is too long. Name another one.',
  ELOOP: 'a link of its path leads to itself. Name another place.',
  ENOENT: 'there is no such file or folder.',
  EISDIR: 'it is a folder: name a file.',
};

/** Returns whether an error comes from the file system. If a write failed, it has no `path`. */
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
