/** The place of an item in a list, from 1, and its score there. */
export interface ListPlace {
  rank: number;
  score: number;
}

export interface Fused<Name extends string> {
  key: string;
  /** 0 to 1, by the best of the fused list. */
  relevance: number;
  places: Partial<Record<Name, ListPlace>>;
}

export interface RankedList {
  /** Its items, best first. */
  items: { key: string; score: number }[];
  /** How much its opinion counts. */
  weight: number;
}

/** Damps the difference between the first places of a list. */
const RANK_CONSTANT = 10;

/** How much a list thinks of its item at a place. */
type Opinion = (items: RankedList['items'], index: number) => number;

/** Joins lists by the ranks in them (reciprocal rank fusion), so that scores of different kinds need no common scale. */
export const fuseRanks = <Name extends string>(lists: Record<Name, RankedList>): Fused<Name>[] =>
  join(lists, (_, index) => 1 / (RANK_CONSTANT + index + 1));

/** Joins lists by the scores in them, each as a share of its list's best: who is sure of the first is heard more than who is not. */
export const fuseScores = <Name extends string>(lists: Record<Name, RankedList>): Fused<Name>[] =>
  join(lists, (items, index) => Math.max(0, items[index]!.score) / Math.max(items[0]!.score, Number.EPSILON));

function join<Name extends string>(lists: Record<Name, RankedList>, opinion: Opinion): Fused<Name>[] {
  const fused = new Map<string, Fused<Name>>();
  for (const [name, { items, weight }] of Object.entries(lists) as [Name, RankedList][]) {
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

/** The share of the first places of two lists that hold the same items, 0 to 1. */
export function agreement(one: { key: string }[], other: { key: string }[], places: number): number {
  const first = new Set(one.slice(0, places).map(({ key }) => key));
  return other.slice(0, places).filter(({ key }) => first.has(key)).length / places;
}
