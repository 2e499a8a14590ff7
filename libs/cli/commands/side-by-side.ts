import { splitAtSpaces } from '#contracts/text.js';
import { revisionChanges } from '#writing/paragraph-decisions.js';
import pc from 'picocolors';

/** Minimum width of a column of prose, in characters. */
const NARROWEST = 24;
const GAP = ' │ ';

/**
 * Renders the paragraphs that a correction changed, before and after in two columns, with changed words in
 * colour.
 *
 * @param width of the terminal, in columns
 */
export function renderSideBySide(text: string, corrected: string, width: number): string {
  const column = Math.max(NARROWEST, Math.floor((width - GAP.length) / 2));
  const blocks = revisionChanges(text, corrected).map(({ before, after }) => {
    const left = wrapped(before, after, column, pc.red);
    const right = wrapped(after, before, column, pc.green);
    const lines = Array.from({ length: Math.max(left.length, right.length) }, (_, row) => {
      const [shown = '', length = 0] = left[row] ?? [];
      return `${shown}${' '.repeat(column - length)}${pc.dim(GAP)}${right[row]?.[0] ?? ''}`.trimEnd();
    });
    return lines.join('\n');
  });
  return blocks.length === 0 ? '' : `${blocks.join(`\n${pc.dim('─'.repeat(column))}\n`)}\n`;
}

/** Wraps text at `column` characters; colours words that `other` lacks. Returns lines and visible lengths. */
function wrapped(
  text: string,
  other: string,
  column: number,
  paint: (word: string) => string,
): [string, number][] {
  const there = new Map<string, number>();
  const words = (value: string) => splitAtSpaces(value).filter(Boolean);
  for (const word of words(other)) there.set(word, (there.get(word) ?? 0) + 1);
  const lines: [string, number][] = [];
  for (const whole of words(text)) {
    const left = there.get(whole) ?? 0;
    there.set(whole, left - 1);
    for (let at = 0; at < whole.length; at += column) {
      const word = whole.slice(at, at + column);
      const shown = left > 0 ? word : paint(word);
      const last = lines.at(-1);
      if (last && last[1] + 1 + word.length <= column) {
        last[0] += ` ${shown}`;
        last[1] += 1 + word.length;
      } else lines.push([shown, word.length]);
    }
  }
  return lines;
}
