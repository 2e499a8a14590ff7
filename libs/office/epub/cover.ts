import type { EpubOptions } from './package.js';
import { xml } from './xhtml.js';

const [WIDTH, HEIGHT] = [1_200, 1_800];
const LINE_CHARACTERS = 18;
const MAX_LINES = 7;

/** Draws a text cover: title, subtitle and author. */
export function coverSvg({ title, subtitle, author }: EpubOptions): string {
  const lines = wrapped(title, LINE_CHARACTERS);
  const below = subtitle ? wrapped(subtitle, 2 * LINE_CHARACTERS) : [];
  const titleAt = 560;
  const belowAt = titleAt + lines.length * 120 + 40;
  const text = (words: string, y: number, size: number) =>
    `<text x="${WIDTH / 2}" y="${y}" font-size="${size}">${xml(words)}</text>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}">
<rect width="${WIDTH}" height="${HEIGHT}" fill="#1c3144"/>
<rect x="60" y="60" width="${WIDTH - 120}" height="${HEIGHT - 120}" fill="none" stroke="#f4efe6" stroke-width="6"/>
<g fill="#f4efe6" font-family="Georgia, 'Times New Roman', serif" text-anchor="middle">
${lines.map((line, n) => text(line, titleAt + n * 120, 100)).join('\n')}
${below.map((line, n) => text(line, belowAt + n * 68, 52)).join('\n')}
${author ? text(author, HEIGHT - 200, 60) : ''}
</g>
</svg>
`;
}

/** Breaks words into lines of at most `most` characters; truncates what does not fit. */
function wrapped(words: string, most: number): string[] {
  const lines: string[] = [];
  for (const word of words.split(/\s+/).filter(Boolean)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= most)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word.slice(0, most));
  }
  if (lines.length <= MAX_LINES) return lines;
  return [...lines.slice(0, MAX_LINES - 1), `${lines[MAX_LINES - 1]!.slice(0, most - 1)}…`];
}
