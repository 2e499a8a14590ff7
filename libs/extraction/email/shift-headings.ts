import { scanMarkdown } from '#markdown/scan/scan.js';

/**
 * Returns the lines of Markdown with headings lowered by `by` levels, at most to level 6, to fit below a
 * parent heading.
 */
export function shiftHeadings(markdown: string, by: number): string[] {
  const lines = markdown.replace(/\r\n?/g, '\n').replace(/\n$/, '').split('\n');
  const { lines: scanned } = scanMarkdown(lines);
  return lines.map((line, index) => {
    const { kind, level, quotes, lists } = scanned[index]!;
    if (kind !== 'heading' || quotes + lists > 0) return line;
    return line.replace(/#+/, '#'.repeat(Math.min(6, level + by)));
  });
}
