/** A source whose text cannot be had; the message says why and what a person can do. */
export class ExtractionError extends Error {
  override readonly name: string = 'ExtractionError';
}

/** Text in an encoding that the file does not say: a person can. */
export class UndecodedError extends ExtractionError {
  override readonly name = 'UndecodedError';
}
