/** The text of a source cannot be extracted; the message explains why and what a person can do. */
export class ExtractionError extends Error {
  override readonly name: string = 'ExtractionError';
}

/** The encoding of a text is unknown; a person can specify it. */
export class UndecodedError extends ExtractionError {
  override readonly name = 'UndecodedError';
}
