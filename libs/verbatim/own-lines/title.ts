import { occursIn } from '../source/occurs.js';
import { OwnLines } from './own-lines.js';
import { quotesLine } from './section.js';

/**
 * Returns the words of a document's title that nothing supports; null if the title is permitted: an unbroken run of words
 * from a line, or names of files and folders, headings of any document and kinds of material.
 *
 * @param line the source line that the title quotes; null if it quotes none
 */
export function refusedTitleWords(title: string, line: string | null, fileNames: string[]): string[] | null {
  const quoted = line ?? '';
  const below = {
    quotes: (text: string) => quotesLine(text, quoted),
    hasTime: (time: string) => occursIn(time, quoted),
    counts: () => new Set<number>(),
    hasContent: () => true,
  };
  return new OwnLines(below, [], fileNames).heading(title, 0);
}
