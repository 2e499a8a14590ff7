import { stemOf } from '../text/stems.js';
import { wordsOf } from '../text/words.js';

/** How often each stem stands in a passage, and how many words stand there in all. */
export interface TermCounts {
  counts: Map<string, number>;
  length: number;
}

/** Counts the stems of a passage. @param language ISO 639-1, null for words as they stand */
export function countTerms(text: string, language: string | null): TermCounts {
  const words = wordsOf(text);
  const counts = new Map<string, number>();
  for (const word of words) {
    const stem = stemOf(word, language);
    counts.set(stem, (counts.get(stem) ?? 0) + 1);
  }
  return { counts, length: words.length };
}
