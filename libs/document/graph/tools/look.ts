/** Lines of a look if the model names no number, and its maximum number of characters. */
const LOOK_LIMITS = { lines: 100, characters: 24_000, lineCharacters: 300 };

/**
 * Returns some lines of a text, each preceded by its number and cut if it is long, below a header with the total
 * number of lines.
 *
 * @param from first line, counted from 1
 * @param count maximum number of lines
 */
export function numberedLines(
  title: string,
  lines: string[],
  from: number,
  count: number = LOOK_LIMITS.lines,
): { text: string; last: number } {
  const shown: string[] = [];
  let size = 0;
  for (const line of lines.slice(from - 1, from - 1 + count)) {
    const text = `${from + shown.length}|${line.length <= LOOK_LIMITS.lineCharacters ? line : `${line.slice(0, LOOK_LIMITS.lineCharacters)}…`}`;
    size += text.length;
    if (size > LOOK_LIMITS.characters && shown.length > 0) break;
    shown.push(text);
  }
  const last = from + shown.length - 1;
  const range = shown.length === 0 ? 'no lines' : `lines ${from}-${last}`;
  return { text: [`[${title} ${range} of ${lines.length}]`, ...shown].join('\n'), last };
}
