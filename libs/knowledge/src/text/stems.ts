import { createStemmer } from 'multilingual-stemmer';
import { isStemmedLanguage, type StemmedLanguage } from './languages.js';
import { wordsOf } from './words.js';

type Stem = (word: string) => string;

/** Distinct words kept with their stems, for each language: texts repeat theirs. */
const WORDS_KEPT = 50_000;
const stemmers = new Map<StemmedLanguage, Stem>();

function remembering(stem: Stem): Stem {
  const known = new Map<string, string>();
  return (word) => {
    let found = known.get(word);
    if (found === undefined) {
      found = stem(word);
      if (known.size >= WORDS_KEPT) known.clear();
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

/** The stem of one word (as `wordsOf` gives it); the word itself in a language without a stemmer. */
export function stemOf(word: string, language: string | null): string {
  return stemmerOf(language)(word);
}

/** The stems of a text's words, in their order. */
export function stemsOf(text: string, language: string | null): string[] {
  return wordsOf(text).map(stemmerOf(language));
}

/** A word of a query and what it may be stemmed to, in the languages of what is searched. */
export interface QueryWord {
  word: string;
  stems: string[];
  /** How often the query says it. */
  times: number;
}

/** Each distinct word of a query with its stems; at most so many words, in their order. */
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
