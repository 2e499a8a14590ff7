import type { ProblemCode } from '#contracts/errors.js';

/** A failure that the person at the terminal can act on; `message` is the one sentence that is shown. */
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

/** What to print for any error: its sentence when it is meant for people, else everything that helps to find a defect. */
export function explain(error: unknown): string {
  if (error instanceof CliError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
