import { queryWords } from '../text/stems.js';
import type { Emphasis } from './bm25.js';

/** Maximum number of query words that are looked up; the first words of a longer text suffice. */
const MAX_WORDS = 128;
/** Maximum number of words for which similar ones are looked up: meant for typed queries, not whole pages. */
const MAX_SIMILAR_WORDS = 24;

/** Saturation of repeated query words: the third factor of BM25, with its usual value. */
const K3 = 8;

/** A query, parsed for the lexical lists. */
export interface LexicalQuery {
  words: string[];
  /** Stems of each word, in the languages of the searched texts. */
  stems: string[][];
  /** Weight of each stem by its occurrences in the query; 1 for one occurrence. */
  emphasis: Emphasis;
}

/** @param languages ISO 639-1 codes of the searched texts; null for unstemmed words */
export function readQuery(query: string, languages: (string | null)[]): LexicalQuery {
  const words = queryWords(query, languages, MAX_WORDS);
  const timesOf = new Map<string, number>();
  for (const { stems, times } of words)
    for (const stem of stems) timesOf.set(stem, (timesOf.get(stem) ?? 0) + times);
  const emphasis = new Map(Array.from(timesOf, ([stem, times]) => [stem, (times * (K3 + 1)) / (times + K3)]));
  return { words: words.map(({ word }) => word), stems: words.map(({ stems }) => stems), emphasis };
}

/** Returns the stems for which similar words are looked up, by query word. Each stem is listed once. */
export function withSimilar(stems: string[][]): string[][] {
  const seen = new Set<string>();
  const distinct = stems.map((own) => own.filter((stem) => !seen.has(stem) && seen.add(stem)));
  return distinct.filter((own) => own.length > 0).slice(0, MAX_SIMILAR_WORDS);
}

/** Returns the weight of a query word, given by its stems. */
export const emphasisOf = (stems: string[], emphasis: Emphasis) =>
  Math.max(...stems.map((stem) => emphasis.get(stem) ?? 1));

/** Removes common terms from the query, unless all its terms are common. */
export function withoutCommon(groups: string[][], isCommon: (term: string) => boolean): string[][] {
  const rare = groups.map((terms) => terms.filter((term) => !isCommon(term)));
  return rare.some((terms) => terms.length > 0) ? rare : groups;
}

/**
 * Returns the query words that a passage matched, from the bits that the ranking set, without words that most passages
 * contain, unless there are no others.
 *
 * @param rare stems of each word without common ones (`withoutCommon`)
 */
export function matchedWords(words: readonly string[], matched: number, rare: readonly string[][]): string[] {
  const isMatched = (index: number) => index < 31 && (matched & (1 << index)) !== 0;
  const all = [...words.keys()].filter(isMatched);
  const telling = all.filter((index) => rare[index]!.length > 0);
  return (telling.length > 0 ? telling : all).map((index) => words[index]!);
}
