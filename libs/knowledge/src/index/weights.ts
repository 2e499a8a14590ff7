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

/** Places of each list that are fused. */
export const LISTED = 200;
