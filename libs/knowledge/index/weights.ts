/** Languages with little inflection: the stem covers nearly everything that forms of a word share. */
const HARDLY_INFLECTED = new Set(['en']);

/**
 * Returns the weight of the list of similar words relative to the stems. It gains two points of nDCG@10 on
 * questions in Polish (PoQuAD), next to nothing in English (Cranfield, CISI, CACM), and two to six if every
 * third word has a typing error. In English it is noisier than the stems and therefore weighs less.
 *
 * @param languages languages of the searched texts
 */
export function trigramWeight(languages: (string | null)[]): number {
  return languages.every((language) => language !== null && HARDLY_INFLECTED.has(language)) ? 0.7 : 3;
}

/**
 * Returns the weight of vectors relative to words, which have 1. It rises with the share of top places that
 * both agree on. A model that does not know the language or domain of a collection agrees with words only by
 * chance; then it may only add passages after those found by words.
 *
 * @param agreement 0 to 1
 */
export const vectorWeight = (agreement: number): number => Math.max(1e-6, 1.5 * (agreement - 0.2));

/** Number of places of each list that are fused. */
export const LISTED = 200;
