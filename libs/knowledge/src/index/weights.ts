/** Languages with little inflection: a stem is nearly all that its words have in common. */
const HARDLY_INFLECTED = new Set(['en']);

/**
 * How much the list of similar words counts beside the stems. Measured (nDCG@10 of the stems alone, and fused): Cranfield in English
 * 37.6 → 37.9, PoQuAD in Polish 84.2 → 86.2; with a typing error in every third word 28.6 → 31.5 and 72.9 → 78.6. BM25 over the
 * trigrams of the passages themselves came to 37.7, 85.5, 30.6 and 76.9, for some forty times the postings.
 *
 * @param languages of what is searched
 */
export function trigramWeight(languages: (string | null)[]): number {
  return languages.every((language) => language !== null && HARDLY_INFLECTED.has(language)) ? 1 : 3;
}

/** Places of each list that are fused. */
export const LISTED = 200;
