import { createStemmer } from 'multilingual-stemmer';
import { isStemmedLanguage, type StemmedLanguage } from './languages.js';
import { wordsOf } from './words.js';

type Stem = (word: string) => string;

/** Number of distinct words whose stems are cached for each language. */
const MAX_CACHED_WORDS = 50_000;
const stemmers = new Map<StemmedLanguage, Stem>();

function remembering(stem: Stem): Stem {
  const known = new Map<string, string>();
  return (word) => {
    let found = known.get(word);
    if (found === undefined) {
      found = stem(word);
      if (known.size >= MAX_CACHED_WORDS) known.clear();
      known.set(word, found);
    }
    return found;
  };
}

function stemmerOf(language: string | null): Stem {
  if (language === null || !isStemmedLanguage(language)) return (word) => word;
  let stem = stemmers.get(language);
  if (!stem) {
    stem = remembering(createStemmer(language));
    stemmers.set(language, stem);
  }
  return stem;
}

/** Returns the stem of a word from `wordsOf`, or the word itself if the language lacks a stemmer. */
export function stemOf(word: string, language: string | null): string {
  return stemmerOf(language)(word);
}

/** Returns the stems of a text's words, in their order. */
export function stemsOf(text: string, language: string | null): string[] {
  return wordsOf(text).map(stemmerOf(language));
}

/** A word of a query with its possible stems in the languages of the searched texts. */
interface QueryWord {
  word: string;
  stems: string[];
  /** Number of occurrences in the query. */
  times: number;
}

/** Returns the first distinct words of a query with their stems, up to the limit. */
export function queryWords(query: string, languages: (string | null)[], limit: number): QueryWord[] {
  const counts = new Map<string, number>();
  for (const word of wordsOf(query)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const all = languages.length > 0 ? languages : [null];
  return [...counts].slice(0, limit).map(([word, times]) => ({
    word,
    stems: [...new Set(all.map((language) => stemOf(word, language)))],
    times,
  }));
}
