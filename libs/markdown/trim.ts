/**
 * Strips trailing characters. Uses a loop because a regular expression that ends in a repetition before `$`
 * takes quadratic time on long runs of these characters inside the text.
 *
 * @param kept number of leading characters that are never stripped
 */
export function trimEndOf(text: string, characters: string, kept = 0): string {
  let end = text.length;
  while (end > kept && characters.includes(text[end - 1]!)) end--;
  return text.slice(0, end);
}

/** Strips blanks and tabs at both ends. */
export function trimBlanks(text: string): string {
  let start = 0;
  while (start < text.length && ' \t'.includes(text[start]!)) start++;
  return trimEndOf(text.slice(start), ' \t');
}

/** Strips ASCII white space (line endings included) at both ends; a no-break space counts as text. */
export function trimAsciiWhitespace(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  return start === 0 && end === text.length ? text : text.slice(start, end);
}

function isBlank(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13);
}
