import { stemOf } from '#knowledge/text/stems.js';
import { wordsOf } from '#knowledge/text/words.js';

/** Words that are common in requests and descriptions on any subject. */
const STOP_WORDS = new Set(
  (
    'a an the and or but of to in on at by for from with as is are was were be been being do does did done has have had having it its this that ' +
    'these those i you he she we they me him us them my your his her our their what which who whom how can could may might must shall should ' +
    'will would please'
  ).split(' '),
);

/**
 * Returns the search terms of a text about tools: stems of its words, with camelCase names split and stop
 * words removed.
 */
export function termsOf(text: string): string[] {
  const apart = text
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .replaceAll('_', ' ');
  return wordsOf(apart)
    .filter((word) => !STOP_WORDS.has(word))
    .map((word) => stemOf(word, 'en'));
}

/** Maximum number of texts in the cache of terms: a few megabytes. */
const MOST_KEPT = 20_000;
const kept = new Map<string, readonly string[]>();

/** Cached `termsOf` for the texts of an index: indexes are rebuilt far more often than tools change. */
export function keptTermsOf(text: string): readonly string[] {
  const known = kept.get(text);
  if (known) return known;
  const terms = termsOf(text);
  if (kept.size >= MOST_KEPT) kept.delete(kept.keys().next().value!);
  kept.set(text, terms);
  return terms;
}
