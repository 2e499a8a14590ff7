/** Removes spaces and tabs from a text. */
export function stripBlanks(text: string): string {
  return text.replace(/[ \t\v\f\r]+/g, '');
}

/** Returns the closing marks of an ATX heading (`## A ##` → `##`), which do not belong to its text. */
export function closingMarks(line: string): string {
  const text = stripBlanks(line);
  let at = text.length;
  while (at > 0 && text[at - 1] === '#') at--;
  return /^#/.test(text) && at > 0 ? text.slice(at) : '';
}
