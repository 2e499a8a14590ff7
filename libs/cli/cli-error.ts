import type { Detail } from '#contracts/phrases/detail.js';
import { phrase, type PhraseCode } from '#contracts/phrases/phrase.js';
import type { RunError, RunStatus } from '#contracts/runs.js';
import { renderText, translate } from './language.js';
import type { ProblemCode } from '#contracts/errors.js';

/** Failure that the person at the terminal can act on; only its `message` is shown. */
export class CliError extends Error {
  override readonly name = 'CliError';

  /**
   * @param detail a phrase, or a text that is already in the terminal's language
   * @param code the problem's stable code, when the service gave one
   */
  constructor(
    detail: Detail,
    readonly code?: ProblemCode,
  ) {
    super(typeof detail === 'string' ? detail : translate(detail));
  }
}

/** Returns an error that explains, with its stable code, why a run did not complete. */
export function failedRun({ status, error }: { status: RunStatus; error: RunError | null }): CliError {
  return new CliError(
    error
      ? `${renderText(error.phrase, error.message)} (${error.code})`
      : translate(phrase('cli.run_ended', { status: phrase(`run_status.${status}`) })),
  );
}

/** Reason and advice for error codes of the file system. */
const FILE_ERRORS: Record<string, PhraseCode & `file_error.${string}`> = {
  EACCES: 'file_error.permission',
  EPERM: 'file_error.permission',
  EROFS: 'file_error.read_only',
  ENOSPC: 'file_error.disk_full',
  EDQUOT: 'file_error.quota',
  EFBIG: 'file_error.size_limit',
  EIO: 'file_error.disk_error',
  ENOTDIR: 'file_error.not_a_folder',
  EEXIST: 'file_error.not_a_folder',
  ENAMETOOLONG: 'file_error.name_too_long',
  ELOOP: 'file_error.link_loop',
  ENOENT: 'file_error.missing',
  EISDIR: 'file_error.is_a_folder',
};

/** Returns whether an error comes from the file system. If a write failed, it lacks a `path`. */
export function isFileError(error: unknown): error is NodeJS.ErrnoException & { code: string } {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' && Object.hasOwn(FILE_ERRORS, code);
}

/** Returns the text to print for an error: its message if it is meant for people, else the stack trace. */
export function explain(error: unknown): string {
  if (error instanceof CliError) return error.message;
  if (isFileError(error)) {
    const reason = translate({ code: FILE_ERRORS[error.code]!, params: {} });
    return error.path ? `${error.path}: ${reason}` : reason;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
