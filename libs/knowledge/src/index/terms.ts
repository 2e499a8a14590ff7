import { stemOf } from '../text/stems.js';
import { trigramsOf, wordsOf } from '../text/words.js';

/** How often each term of one list stands in a passage, and how many stand there in all. */
export interface TermCounts {
  counts: Map<string, number>;
  length: number;
}

/** The lists that a passage is found by. */
export const termLists = ['stems', 'trigrams'] as const;
export type TermList = (typeof termLists)[number];
export type IndexedText = Record<TermList, TermCounts>;

/** Counts the terms of a passage. @param language ISO 639-1, null for words as they stand */
export function countTerms(text: string, language: string | null): IndexedText {
  const words = wordsOf(text);
  const times = new Map<string, number>();
  for (const word of words) add(times, word, 1);
  const stems: TermCounts = { counts: new Map(), length: words.length };
  const trigrams: TermCounts = { counts: new Map(), length: 0 };
  for (const [word, count] of times) {
    add(stems.counts, stemOf(word, language), count);
    for (const gram of trigramsOf(word)) {
      add(trigrams.counts, gram, count);
      trigrams.length += count;
    }
  }
  return { stems, trigrams };
}

function add(counts: Map<string, number>, term: string, times: number): void {
  counts.set(term, (counts.get(term) ?? 0) + times);
}
