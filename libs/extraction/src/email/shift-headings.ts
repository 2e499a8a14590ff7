import { scanMarkdown } from '#markdown/scan/scan.js';

/** Lines of markdown whose headings stand deeper by some levels, at most on the sixth, so that they fit below those of what holds it. */
export function shiftHeadings(markdown: string, by: number): string[] {
  const lines = markdown.replace(/\r\n?/g, '\n').replace(/\n$/, '').split('\n');
  const { lines: scanned } = scanMarkdown(lines);
  return lines.map((line, index) => {
    const { kind, level, quotes, lists } = scanned[index]!;
    if (kind !== 'heading' || quotes + lists > 0) return line;
    return line.replace(/#+/, '#'.repeat(Math.min(6, level + by)));
  });
}
