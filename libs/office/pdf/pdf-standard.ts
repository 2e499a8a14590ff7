const NOT_KEPT = 'The document does not keep the standard: ';

/** A document cannot keep the standard that its PDF should keep: a character has no glyph, for example. */
export class PdfStandardError extends Error {
  constructor(reasons: readonly string[]) {
    super(NOT_KEPT + reasons.join('; '));
  }
}

/** Returns why a document does not keep a standard; null for other errors. Errors lose their class between threads. */
export const standardProblem = ({ message }: Error): string | null =>
  message.startsWith(NOT_KEPT) ? message.slice(NOT_KEPT.length) : null;
