/** Number of times one tool was used after another (P9). */
export interface CoUseEdge {
  from: string;
  to: string;
  count: number;
  /** 0.5 after the first use, plus 0.1 for each further one, at most 1. */
  confidence: number;
}

const FIRST_CONFIDENCE = 0.5;
const CONFIDENCE_STEP = 0.1;

/** Returns the confidence of an edge with this number of uses (P9). */
export function confidenceOf(count: number): number {
  return Math.min(1, FIRST_CONFIDENCE + CONFIDENCE_STEP * (count - 1));
}

/** Directed graph of the co-use of tools. Counts only rise, so the order of observations does not matter. */
export class CoUseGraph {
  private readonly edges = new Map<string, CoUseEdge>();

  constructor(edges: Iterable<CoUseEdge> = []) {
    for (const edge of edges) this.edges.set(keyOf(edge.from, edge.to), { ...edge });
  }

  /** Counts a use of `to` after `from`; repetitions of one tool are ignored. */
  observe(from: string, to: string): void {
    if (from === to) return;
    const edge = this.edges.get(keyOf(from, to));
    const count = (edge?.count ?? 0) + 1;
    this.edges.set(keyOf(from, to), { from, to, count, confidence: confidenceOf(count) });
  }

  /** Returns the confidence that `to` follows `from`; 0 if that was never observed. */
  confidence(from: string, to: string): number {
    return this.edges.get(keyOf(from, to))?.confidence ?? 0;
  }

  all(): CoUseEdge[] {
    return [...this.edges.values()];
  }
}

const keyOf = (from: string, to: string): string => JSON.stringify([from, to]);
