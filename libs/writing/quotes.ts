import { hasSpace } from '#contracts/text.js';
import type { Span } from '#contracts/findings.js';

/** Marks that models exchange for the straight ones, and back. */
const STRAIGHT: Record<string, string> = {
  ...{ '‘': "'", '’': "'", '‚': "'", '‛': "'", ʼ: "'", '′': "'" },
  ...{ '“': '"', '”': '"', '„': '"', '‟': '"', '«': '"', '»': '"' },
};

/**
 * Returns a function that finds words in a text, at or after an offset: as they are, else regardless of the white space
 * and the form of the apostrophes and quotation marks. The function returns null for words that the text lacks.
 */
export function createQuoteFinder(text: string): (quote: string, from?: number) => Span | null {
  let normalized: ReturnType<typeof normalize> | null = null;
  return (quote, from = 0) => {
    const exact = quote.trim() === '' ? -1 : text.indexOf(quote, from);
    if (exact >= 0) return { start: exact, end: exact + quote.length };
    normalized ??= normalize(text);
    const { characters, positions } = normalized;
    const words = normalize(quote).characters.trim();
    const first = positions.findIndex((position) => position >= from);
    const start = words === '' || first < 0 ? -1 : characters.indexOf(words, first);
    if (start < 0) return null;
    return { start: positions[start]!, end: positions[start + words.length - 1]! + 1 };
  };
}

/** Returns a text with straight marks and single spaces, and the position of each of its characters in the text. */
function normalize(text: string): { characters: string; positions: number[] } {
  const positions: number[] = [];
  let characters = '';
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    const isSpace = hasSpace(character);
    if (isSpace && characters.endsWith(' ')) continue;
    characters += isSpace ? ' ' : (STRAIGHT[character] ?? character);
    positions.push(at);
  }
  return { characters, positions };
}
