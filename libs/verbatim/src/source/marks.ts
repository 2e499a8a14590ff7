/** A text without its blanks and tabs; what is left are words and marks. */
export function stripBlanks(text: string): string {
  return text.replace(/[ \t\v\f\r]+/g, '');
}

/** The closing marks of an ATX heading (`## A ##` → `##`), which are not part of its text. */
export function closingMarks(line: string): string {
  const text = stripBlanks(line);
  let at = text.length;
  while (at > 0 && text[at - 1] === '#') at--;
  return /^#/.test(text) && at > 0 ? text.slice(at) : '';
}
