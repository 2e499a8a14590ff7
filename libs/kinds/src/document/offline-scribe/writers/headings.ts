import { trimBlanks } from '#markdown/trim.js';
import type { ScannedLine } from '#markdown/scan/scan.js';

/** A heading of a source: its level there, its text, and the lines it takes (two or more when underlined). */
export interface SourceHeading {
  level: number;
  text: string;
  /** Index of its first line and the index behind its last. */
  from: number;
  to: number;
  /** In a list or a quote. */
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
 * Maps the levels of a source to levels below its chapter heading, so that none is skipped: a heading stands one below the nearest
 * one before it that is higher in the source. `path` holds [level in the source, level in the manuscript] of the open headings.
 */
export function mapLevel(path: [number, number][], level: number): [number, number][] {
  const open = path.filter(([source]) => source < level);
  const parent = open.at(-1)?.[1] ?? 1;
  return [...open, [level, Math.min(parent + 1, 6)]];
}

/**
 * The first heading of a source becomes the chapter's own when nothing stands above it and no other heading in sight is as high, or when
 * it is what the chapter would be called anyway;
 * otherwise the chapter is named after the file and all headings go below.
 */
export function chapterHeading(
  lines: ScannedLine[],
  headings: SourceHeading[],
  title: string,
): SourceHeading | null {
  const [first, ...others] = headings;
  if (first === undefined || first.nested || first.text === '') return null;
  if (lines.slice(0, first.from).some((line) => line.kind !== 'blank')) return null;
  if (first.text.toLowerCase() === title.toLowerCase()) return first;
  return others.some((other) => other.level <= first.level) ? null : first;
}

/** Marks before a heading's own: quote signs and list markers. */
const CONTAINERS = /^(?:[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t])))*[ \t]*/;

/** The heading's lines as one `#` line of the given level; its words stay as they are. */
export function renderHeading(raw: string[], heading: SourceHeading, level: number): string {
  const marks = '#'.repeat(level);
  const [first = ''] = raw;
  const prefix = heading.nested ? (CONTAINERS.exec(first)?.[0] ?? '') : '';
  // A last run of number signs would be read as the closing of the heading.
  const closing = /(?:^|[ \t])#+$/.test(heading.text) ? ` ${marks}` : '';
  return `${prefix}${marks} ${heading.text}${closing}`.trimEnd();
}
