import { stemOf } from '../text/stems.js';
import { wordsOf } from '../text/words.js';

/** Occurrences of each stem in a passage, and its total number of words. */
export interface TermCounts {
  counts: Map<string, number>;
  length: number;
}

/** Counts the stems of a passage. @param language ISO 639-1 code, null for unstemmed words */
export function countTerms(text: string, language: string | null): TermCounts {
  const words = wordsOf(text);
  const counts = new Map<string, number>();
  for (const word of words) {
    const stem = stemOf(word, language);
    counts.set(stem, (counts.get(stem) ?? 0) + 1);
  }
  return { counts, length: words.length };
}
