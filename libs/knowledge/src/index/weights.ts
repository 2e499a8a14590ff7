/** Languages with little inflection: a stem is nearly all that its words have in common. */
const HARDLY_INFLECTED = new Set(['en']);

/**
 * How much the list of similar words counts beside the stems. It gains two points of nDCG@10 on questions in Polish (PoQuAD), next to
 * nothing in English (Cranfield, CISI, CACM), and two to six where every third word has a typing error. In English it is the noisier of the
 * two, so that it decides less.
 *
 * @param languages of what is searched
 */
export function trigramWeight(languages: (string | null)[]): number {
  return languages.every((language) => language !== null && HARDLY_INFLECTED.has(language)) ? 0.7 : 3;
}

/**
 * How much vectors count beside words, which count one: the more, the more of the first places both agree about. A model that does not know the
 * language or the trade of a collection agrees with words as seldom as chance does, and may then only add passages behind those of the words.
 *
 * @param agreement 0 to 1
 */
export const vectorWeight = (agreement: number): number => Math.max(1e-6, 1.5 * (agreement - 0.2));

/** Places of each list that are fused. */
export const LISTED = 200;
