import { escapeText } from '#markdown/escape.js';
import { fenceLines } from '../inline-text.js';
import { flowedLines, quotedLines, type QuotedLine } from './flowed.js';

/** Minimum width of automatically wrapped prose; breaks after shorter lines are intentional. */
const NARROWEST_WRAP = 60;

/** Wrapping of a message's plain text: the parameters `format` and `delsp` of its media type. */
interface TextFormat {
  format?: string;
  delsp?: string;
}

/** Lines of one paragraph, all of the same quote depth. */
interface Paragraph {
  depth: number;
  words: string[];
  /** Whether each break between the lines is intentional. */
  isFlowed: boolean;
}

/** Returns the paragraphs of plain text, which blank lines or another quote depth separate. */
export function paragraphsOf(text: string, { format, delsp }: TextFormat = {}): Paragraph[] {
  const isFlowed = format?.toLowerCase() === 'flowed';
  const lines: QuotedLine[] = isFlowed
    ? flowedLines(text, delsp?.toLowerCase() === 'yes')
    : quotedLines(text);
  const found: Paragraph[] = [];
  let open: Paragraph | null = null;
  for (const { depth, text: line } of lines) {
    const words = line.trimEnd();
    if (words === '') {
      open = null;
      continue;
    }
    if (open === null || open.depth !== depth) found.push((open = { depth, words: [], isFlowed }));
    open.words.push(words);
  }
  return found;
}

/**
 * Returns paragraphs of an e-mail as Markdown: quoted lines become block quotes, automatically wrapped lines
 * become one paragraph, other line breaks are preserved, and text aligned with blanks goes into a code fence.
 */
export function bodyLines(paragraphs: readonly Paragraph[]): string[] {
  const lines: string[] = [];
  for (const { depth, words, isFlowed } of paragraphs) {
    const marks = '> '.repeat(depth);
    const before = lines.at(-1);
    // Two paragraphs of one quote are separated by an empty quoted line.
    if (before !== undefined) lines.push(before.startsWith(marks) && depth > 0 ? marks.trim() : '');
    // A paragraph may have more lines than a call can have arguments.
    for (const line of paragraphLines(words, isFlowed)) lines.push((marks + line).trimEnd());
  }
  return lines;
}

function paragraphLines(words: string[], isFlowed: boolean): string[] {
  if (words.some((line) => /^\t| {3}|\S\t/.test(line))) return fenceLines(words.join('\n'), 'text');
  const lines = escapeText(words.join('\n')).split('\n');
  const longest = words.slice(0, -1).reduce((most, { length }) => Math.max(most, length), 0);
  const isWrapped = !isFlowed && longest >= NARROWEST_WRAP;
  return isWrapped ? lines : lines.map((line, index) => (index < lines.length - 1 ? `${line}\\` : line));
}
