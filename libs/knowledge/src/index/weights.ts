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

/** Places in which words and vectors are compared. */
export const COMPARED = 20;

/**
 * How much vectors count beside words, which count one: the more, the more of the first places both agree about. A model that does not know the
 * language or the trade of a collection agrees with words seldom, and may then bring passages in but not push good ones out.
 *
 * @param agreement 0 to 1
 */
export const vectorWeight = (agreement: number): number => 0.2 + 0.75 * agreement;

/** Places of each list that are fused. */
export const LISTED = 200;
