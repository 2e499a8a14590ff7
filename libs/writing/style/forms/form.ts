import type { Span } from '#contracts/findings.js';

/** Place at which a text uses a particular form, such as a date written as `2026-03-14`. */
export interface Form extends Span {
  form: string;
}

/** Returns the places of a pattern. */
export const matches = (
  text: string,
  pattern: RegExp,
  form: string,
  counts: (match: RegExpExecArray) => boolean = () => true,
): Form[] =>
  Array.from(text.matchAll(pattern))
    .filter(counts)
    .map((match) => ({ start: match.index, end: match.index + match[0].length, form }));

export const inOrder = (forms: Form[]): Form[] => forms.sort((a, b) => a.start - b.start);
