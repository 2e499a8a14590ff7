import { redactText } from '../tools/redact.js';

/** Control characters, invisible formatting characters and lone surrogates, including line breaks. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]+/gu;

/** Sanitizes a server's text for people: one line, without control characters or secrets, and truncated. */
export function sanitizeServerText(text: string, maxCharacters: number): string {
  // Redact before truncating: the cut-off part may be needed to recognize a secret.
  const line = text.slice(0, 4 * maxCharacters).replace(UNPRINTABLE, ' ');
  return redactText(line).trim().slice(0, maxCharacters).toWellFormed();
}
