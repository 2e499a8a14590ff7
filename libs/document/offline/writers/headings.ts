import { canBeTitle } from '#markdown/title.js';
import { trimBlanks } from '#markdown/trim.js';
import type { ScannedLine } from '#markdown/scan/scan.js';

/** A heading of a source: its level, text and lines (two or more if underlined). */
export interface SourceHeading {
  level: number;
  text: string;
  /** Index of its first line, and the index after its last. */
  from: number;
  to: number;
  /** Whether it is in a list or a quote. */
  nested: boolean;
}

export function findHeadings(lines: ScannedLine[]): SourceHeading[] {
  const headings: SourceHeading[] = [];
  lines.forEach((line, index) => {
    const nested = line.quotes + line.lists > 0;
    if (line.kind === 'heading')
      headings.push({ level: line.level, text: line.text, from: index, to: index + 1, nested });
    if (line.kind !== 'underline') return;
    let from = index;
    while (lines[from - 1]?.kind === 'setext') from -= 1;
    const text = lines.slice(from, index).map((part) => trimBlanks(part.text));
    headings.push({ level: line.level, text: text.join(' '), from, to: index + 1, nested });
  });
  return headings;
}

/**
 * Maps the levels of a source to levels below its chapter heading without gaps: a heading is one level below
 * the nearest earlier heading that is higher in the source. `path` contains [level in the source, level in
 * the manuscript] of the open headings.
 */
export function mapLevel(path: [number, number][], level: number): [number, number][] {
  const open = path.filter(([source]) => source < level);
  const parent = open.at(-1)?.[1] ?? 1;
  return [...open, [level, Math.min(parent + 1, 6)]];
}

/**
 * Returns the source heading that becomes the chapter heading: the first one, if it can be a title, only blank lines are
 * above it and it is the only heading read of that level or higher, or if it equals the chapter's title. Otherwise
 * null: the chapter is named after the file, and all headings are below.
 */
export function chapterHeading(
  lines: ScannedLine[],
  headings: SourceHeading[],
  title: string,
): SourceHeading | null {
  const [first, ...others] = headings;
  if (first === undefined || first.nested || !canBeTitle(first.text)) return null;
  if (lines.slice(0, first.from).some((line) => line.kind !== 'blank')) return null;
  if (first.text.toLowerCase() === title.toLowerCase()) return first;
  return others.some((other) => other.level <= first.level) ? null : first;
}

/** Returns the heading of a chapter that is named after its file or folder. */
export const chapterLine = ({ title, level }: { title: string; level: number }): string =>
  `${'#'.repeat(level)} ${title}`;

/** Marks before a heading's own: quote signs and list markers. */
const CONTAINERS = /^(?:[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t])))*[ \t]*/;

/** Renders the heading's lines as one `#` line of the given level; preserves its words. */
export function renderHeading(raw: string[], heading: SourceHeading, level: number): string {
  const marks = '#'.repeat(level);
  const [first = ''] = raw;
  const prefix = heading.nested ? (CONTAINERS.exec(first)?.[0] ?? '') : '';
  // Markdown would read a final run of number signs as the closing of the heading.
  const closing = /(?:^|[ \t])#+$/.test(heading.text) ? ` ${marks}` : '';
  return `${prefix}${marks} ${heading.text}${closing}`.trimEnd();
}
