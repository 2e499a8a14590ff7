/** Rank of an item in a list, from 1, and its score there. */
export interface ListPlace {
  rank: number;
  score: number;
}

export interface Fused<Name extends string> {
  key: string;
  /** 0 to 1, relative to the best of the fused list. */
  relevance: number;
  places: Partial<Record<Name, ListPlace>>;
}

export interface RankedList {
  /** Items, best first. */
  items: { key: string; score: number }[];
  /** Weight of the list. */
  weight: number;
}

type Items = RankedList['items'];

/** Dampens the differences between the first places of a list. */
const RANK_CONSTANT = 10;
/** Maximum number of places in which words and vectors are compared. */
const COMPARED = 20;

/** Score that a list contributes for its item at an index, from 0. */
type Opinion = (items: Items, index: number) => number;

const byRank: Opinion = (_, index) => 1 / (RANK_CONSTANT + index + 1);

const byShareOfBest: Opinion = (items, index) =>
  Math.max(0, items[index]!.score) / Math.max(items[0]!.score, Number.EPSILON);

/**
 * Scores an item relative to the last, which represents chance similarity: models differ in how similar all
 * texts are to them.
 */
function byContrast(items: Items, index: number): number {
  const [first, last] = [items[0]!.score, items.at(-1)!.score];
  return first > last ? (items[index]!.score - last) / (first - last) : 1;
}

/** Fuses lists by rank (reciprocal rank fusion), so that their scores need no common scale. */
export const fuseRanks = <Name extends string>(lists: Record<Name, RankedList>): Fused<Name>[] =>
  join(lists, () => byRank);

/**
 * Fuses word lists with a vector list. The words alone decide their order, as in `fuseRanks`, and their
 * scores decide how strongly it counts. Vectors weigh by the share of top places that both have in common, so
 * that a model that does not know the language does no harm.
 *
 * @param words lists of which at least one has items
 * @param vectors at least one item
 */
export function fuseWithVectors<Name extends string>(
  words: Record<Name, RankedList>,
  vectors: Items,
): Fused<Name | 'vectors'>[] {
  const ranked = fuseRanks(words);
  const sureness = join(words, () => byShareOfBest).map(({ relevance }) => relevance);
  const places = Math.min(COMPARED, Math.ceil(Math.min(ranked.length, vectors.length) / 2));
  const fused = join<'words' | 'vectors'>(
    {
      words: { items: ranked.map(({ key }, index) => ({ key, score: sureness[index]! })), weight: 1 },
      vectors: { items: vectors, weight: vectorWeight(agreement(ranked, vectors, places)) },
    },
    (name) => (name === 'words' ? byShareOfBest : byContrast),
  );
  const placesOf = new Map(ranked.map((item) => [item.key, item.places]));
  return fused.map(({ key, relevance, places: { vectors: near } }) => ({
    key,
    relevance,
    places: { ...placesOf.get(key), ...(near && { vectors: near }) } as Fused<Name | 'vectors'>['places'],
  }));
}

function join<Name extends string>(
  lists: Record<Name, RankedList>,
  opinionOf: (name: Name) => Opinion,
): Fused<Name>[] {
  const fused = new Map<string, Fused<Name>>();
  for (const [name, { items, weight }] of Object.entries(lists) as [Name, RankedList][]) {
    const opinion = opinionOf(name);
    items.forEach(({ key, score }, index) => {
      const item: Fused<Name> = fused.get(key) ?? { key, relevance: 0, places: {} };
      item.relevance += weight * opinion(items, index);
      item.places[name] = { rank: index + 1, score };
      fused.set(key, item);
    });
  }
  const best = Math.max(...[...fused.values()].map(({ relevance }) => relevance));
  return [...fused.values()]
    .map((item) => ({ ...item, relevance: item.relevance / best }))
    .sort((a, b) => b.relevance - a.relevance || (a.key < b.key ? -1 : 1));
}

/** Returns the share of the first places of two lists that contain the same items, 0 to 1. */
function agreement(one: { key: string }[], other: { key: string }[], places: number): number {
  const first = new Set(one.slice(0, places).map(({ key }) => key));
  return other.slice(0, places).filter(({ key }) => first.has(key)).length / places;
}

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
const vectorWeight = (agreement: number): number => Math.max(1e-6, 1.5 * (agreement - 0.2));

/** Number of places of each list that are fused. */
export const LISTED = 200;
