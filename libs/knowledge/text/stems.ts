import { createStemmer } from 'multilingual-stemmer';
import { cachedByWord, wordsOf } from './words.js';
import { franc } from 'franc';

/** Languages with a Snowball stemmer, by the ISO 639-3 codes of the language detection. */
const STEMMED = {
  arb: 'ar', hye: 'hy', eus: 'eu', cat: 'ca', ces: 'cs', dan: 'da', nld: 'nl', eng: 'en', epo: 'eo', ekk: 'et', fin: 'fi',
  fra: 'fr', deu: 'de', ell: 'el', hin: 'hi', hun: 'hu', ind: 'id', gle: 'ga', ita: 'it', lit: 'lt', npi: 'ne', nob: 'no',
  pes: 'fa', pol: 'pl', por: 'pt', ron: 'ro', rus: 'ru', srp: 'sr', sot: 'st', spa: 'es', swe: 'sv', tam: 'ta', tur: 'tr',
  ydd: 'yi',
} as const; // prettier-ignore

/** ISO 639-1 codes of the languages with a stemmer. */
const stemmedLanguages = Object.values(STEMMED);
type StemmedLanguage = (typeof stemmedLanguages)[number];

const isStemmedLanguage = (code: string): code is StemmedLanguage =>
  (stemmedLanguages as string[]).includes(code);

/**
 * Languages without a stemmer that are detected too, so that their texts are not mistaken for a similar
 * language. Their words are indexed unchanged.
 */
const UNSTEMMED = [
  'slk',
  'ukr',
  'bel',
  'bul',
  'hrv',
  'slv',
  'lvs',
  'heb',
  'jpn',
  'kor',
  'cmn',
  'tha',
  'vie',
  'urd',
];
const CANDIDATES = [...Object.keys(STEMMED), ...UNSTEMMED];
/** Characters of a sample; longer samples are slower and hardly more reliable. */
const SAMPLE = 800;
/** Minimum number of characters for a detection; shorter texts give unreliable results. */
const MIN_DETECTED_LENGTH = 20;

/**
 * Detects the language of a text from its beginning.
 *
 * @returns its ISO 639-1 code if it has a stemmer, otherwise null
 */
export function detectLanguage(text: string): StemmedLanguage | null {
  const sample = text.slice(0, SAMPLE);
  const code = franc(sample, { only: CANDIDATES, minLength: MIN_DETECTED_LENGTH });
  return (STEMMED as Record<string, StemmedLanguage>)[code] ?? null;
}

/**
 * Detects the language of a source from samples of its beginning, middle and end.
 *
 * @returns `mixed` if the samples differ; then each passage needs its own detection
 */
export function detectSourceLanguage(text: string): StemmedLanguage | null | 'mixed' {
  if (text.length <= 2 * SAMPLE) return detectLanguage(text);
  const places = [0.02, 0.5, 0.9].map((share) => Math.floor((text.length - SAMPLE) * share));
  const found = new Set(places.map((at) => detectLanguage(text.slice(at, at + SAMPLE))));
  return found.size === 1 ? [...found][0]! : 'mixed';
}

type Stem = (word: string) => string;

const stemmers = new Map<StemmedLanguage, Stem>();

function stemmerOf(language: string | null): Stem {
  if (language === null || !isStemmedLanguage(language)) return (word) => word;
  let stem = stemmers.get(language);
  if (!stem) {
    stem = cachedByWord(createStemmer(language));
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
