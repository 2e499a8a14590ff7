import { escapeText } from '#markdown/escape.js';
import { fenceLines } from '../inline-text.js';

/** Minimum width of automatically wrapped prose; breaks after shorter lines are intentional. */
const NARROWEST_WRAP = 60;
const QUOTE_MARKS = /^(?:> ?)+/;

/**
 * Converts the plain text of an e-mail to Markdown: quoted lines become block quotes, automatically wrapped
 * lines become one paragraph, other line breaks are preserved, and text aligned with blanks goes into a code
 * fence.
 */
export function bodyLines(text: string): string[] {
  const lines: string[] = [];
  for (const { depth, words } of paragraphs(text)) {
    const marks = '> '.repeat(depth);
    const before = lines.at(-1);
    // Two paragraphs of one quote are separated by an empty quoted line.
    if (before !== undefined) lines.push(before.startsWith(marks) && depth > 0 ? marks.trim() : '');
    lines.push(...paragraphLines(words).map((line) => (marks + line).trimEnd()));
  }
  return lines;
}

interface Paragraph {
  /** Quote depth. */
  depth: number;
  words: string[];
}

function paragraphs(text: string): Paragraph[] {
  const found: Paragraph[] = [];
  let open: Paragraph | null = null;
  for (const line of text.split(/\r\n?|\n/)) {
    const marks = QUOTE_MARKS.exec(line)?.[0] ?? '';
    const depth = marks.replaceAll(' ', '').length;
    const words = line.slice(marks.length).trimEnd();
    if (words === '') {
      open = null;
      continue;
    }
    if (open === null || open.depth !== depth) found.push((open = { depth, words: [] }));
    open.words.push(words);
  }
  return found;
}

function paragraphLines(words: string[]): string[] {
  if (words.some((line) => /^\t| {3}|\S\t/.test(line))) return fenceLines(words.join('\n'), 'text');
  const lines = escapeText(words.join('\n')).split('\n');
  const isWrapped = Math.max(...words.slice(0, -1).map(({ length }) => length), 0) >= NARROWEST_WRAP;
  return isWrapped ? lines : lines.map((line, index) => (index < lines.length - 1 ? `${line}\\` : line));
}
