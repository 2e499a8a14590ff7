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

/** Joins lists by the ranks in them (reciprocal rank fusion), so that scores of different kinds need no common scale. */
export function fuseRanks<Name extends string>(lists: Record<Name, RankedList>): Fused<Name>[] {
  const fused = new Map<string, Fused<Name>>();
  for (const [name, { items, weight }] of Object.entries(lists) as [Name, RankedList][]) {
    items.forEach(({ key, score }, index) => {
      const item: Fused<Name> = fused.get(key) ?? { key, relevance: 0, places: {} };
      item.relevance += weight / (RANK_CONSTANT + index + 1);
      item.places[name] = { rank: index + 1, score };
      fused.set(key, item);
    });
  }
  const best = Math.max(...[...fused.values()].map(({ relevance }) => relevance));
  return [...fused.values()]
    .map((item) => ({ ...item, relevance: item.relevance / best }))
    .sort((a, b) => b.relevance - a.relevance || (a.key < b.key ? -1 : 1));
}
