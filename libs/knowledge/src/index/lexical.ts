import { queryWords } from '../text/stems.js';
import type { Emphasis } from './bm25.js';

/** Words of a query that are looked up; a longer text says enough with its first. */
const MAX_WORDS = 128;
/** Words for which similar ones are looked up: that is for what was typed, not for whole pages. */
const MAX_SIMILAR_WORDS = 24;

/** How soon it stops to matter that a query says a word again: the third factor of BM25, with its usual value. */
const K3 = 8;

/** A query as the lexical lists take it. */
export interface LexicalQuery {
  words: string[];
  /** For each word its stems in the languages of what is searched. */
  stems: string[][];
  /** How much each stem counts by how often the query says it: 1 for once. */
  emphasis: Emphasis;
}

/** @param languages ISO 639-1 codes of what is searched; null for words as they stand */
export function readQuery(query: string, languages: (string | null)[]): LexicalQuery {
  const words = queryWords(query, languages, MAX_WORDS);
  const said = new Map<string, number>();
  for (const { stems, times } of words)
    for (const stem of stems) said.set(stem, (said.get(stem) ?? 0) + times);
  const emphasis = new Map(Array.from(said, ([stem, times]) => [stem, (times * (K3 + 1)) / (times + K3)]));
  return { words: words.map(({ word }) => word), stems: words.map(({ stems }) => stems), emphasis };
}

/** The stems for which similar words are looked up, by words of the query; words of one stem are one word. */
export function withSimilar(stems: string[][]): string[][] {
  const seen = new Set<string>();
  const distinct = stems.map((own) => own.filter((stem) => !seen.has(stem) && seen.add(stem)));
  return distinct.filter((own) => own.length > 0).slice(0, MAX_SIMILAR_WORDS);
}

/** How much a word of a query counts, by its stems. */
export const emphasisOf = (stems: string[], emphasis: Emphasis) =>
  Math.max(...stems.map((stem) => emphasis.get(stem) ?? 1));

/** The query's terms without those that are common, unless there are no others. */
export function withoutCommon(groups: string[][], isCommon: (term: string) => boolean): string[][] {
  const rare = groups.map((terms) => terms.filter((term) => !isCommon(term)));
  return rare.some((terms) => terms.length > 0) ? rare : groups;
}

/** The words of the query that a passage matched, by the bits that the ranking set. */
export function matchedWords({ words }: LexicalQuery, matched: number): string[] {
  return words.filter((_, index) => index < 31 && (matched & (1 << index)) !== 0);
}
