import { redactText } from '#tools/redact.js';

/** Control characters, invisible ones that turn or hide text, and halves of characters; line breaks are among them. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]+/gu;

/** Words of a server for people: data, on one line, without what a terminal or a page would follow, without secrets, and cut. */
export function sanitizeServerText(text: string, maxCharacters: number): string {
  // What is cut off may be the part by which a secret is known: it is looked for in more than is told.
  const line = text.slice(0, 4 * maxCharacters).replace(UNPRINTABLE, ' ');
  return redactText(line).trim().slice(0, maxCharacters).toWellFormed();
}
