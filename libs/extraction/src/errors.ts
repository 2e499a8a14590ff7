/** A source whose text cannot be had; the message says why and what a person can do. */
export class ExtractionError extends Error {
  override readonly name = 'ExtractionError';
}
