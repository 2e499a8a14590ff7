/** The text of a source cannot be extracted; the message explains why and what a person can do. */
export class ExtractionError extends Error {
  override readonly name: string = 'ExtractionError';
}

/** The encoding of a text is unknown; a person can specify it. */
export class UndecodedError extends ExtractionError {
  override readonly name = 'UndecodedError';
}

/**
 * Returns the error for unreadable content. An ExtractionError already contains the reason and is returned unchanged.
 */
export const damaged = (fileName: string, error: unknown): ExtractionError =>
  error instanceof ExtractionError
    ? error
    : new ExtractionError(
        `${fileName} is damaged: ${error instanceof Error ? error.message : String(error)}`,
      );
