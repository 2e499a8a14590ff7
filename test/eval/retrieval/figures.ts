/** Documents of each query that are relevant. */
export type Judgements = Map<string, Set<string>>;

export interface RetrievalFigures {
  ndcgAt10: number;
  recallAt5: number;
  recallAt10: number;
  mrr: number;
}

/** Means over the judged queries, from 0 to 1; a query without an answer counts as 0. @param runs documents, best first */
export function retrievalFigures(runs: Map<string, string[]>, judgements: Judgements): RetrievalFigures {
  const mean = (figure: (found: string[], relevant: Set<string>) => number) => {
    let sum = 0;
    for (const [query, relevant] of judgements) sum += figure(runs.get(query) ?? [], relevant);
    return judgements.size === 0 ? 0 : sum / judgements.size;
  };
  return {
    ndcgAt10: mean(ndcgAt10),
    recallAt5: mean((found, relevant) => recallAt(5, found, relevant)),
    recallAt10: mean((found, relevant) => recallAt(10, found, relevant)),
    mrr: mean((found, relevant) => 1 / (found.findIndex((id) => relevant.has(id)) + 1 || Infinity)),
  };
}

const discount = (place: number) => 1 / Math.log2(place + 2);

function ndcgAt10(found: string[], relevant: Set<string>): number {
  const gains = found.slice(0, 10).map((id, place) => (relevant.has(id) ? discount(place) : 0));
  const ideal = Array.from({ length: Math.min(10, relevant.size) }, (_, place) => discount(place));
  const sum = (all: number[]) => all.reduce((total, one) => total + one, 0);
  return ideal.length === 0 ? 0 : sum(gains) / sum(ideal);
}

function recallAt(depth: number, found: string[], relevant: Set<string>): number {
  const hits = found.slice(0, depth).filter((id) => relevant.has(id)).length;
  return relevant.size === 0 ? 0 : hits / relevant.size;
}
