/** What is known of one tool being used after another (P9). */
export interface CoUseEdge {
  from: string;
  to: string;
  count: number;
  /** 0.5 when seen once, 0.1 more each time, 1 at most. */
  confidence: number;
}

export const FIRST_CONFIDENCE = 0.5;
export const CONFIDENCE_STEP = 0.1;

/** The confidence of an edge that was seen so often (P9). */
export function confidenceOf(count: number): number {
  return Math.min(1, FIRST_CONFIDENCE + CONFIDENCE_STEP * (count - 1));
}

/** Co-use of tools, kept as directed edges. Counting is its only way to learn, so an edge never forgets its order. */
export class CoUseGraph {
  private readonly edges = new Map<string, CoUseEdge>();

  constructor(edges: Iterable<CoUseEdge> = []) {
    for (const edge of edges) this.edges.set(keyOf(edge.from, edge.to), { ...edge });
  }

  /** Counts a use of `to` after `from`; a tool after itself says nothing. */
  observe(from: string, to: string): void {
    if (from === to) return;
    const edge = this.edges.get(keyOf(from, to));
    const count = (edge?.count ?? 0) + 1;
    this.edges.set(keyOf(from, to), { from, to, count, confidence: confidenceOf(count) });
  }

  /** The confidence that `to` follows `from`, 0 when it was never seen. */
  confidence(from: string, to: string): number {
    return this.edges.get(keyOf(from, to))?.confidence ?? 0;
  }

  all(): CoUseEdge[] {
    return [...this.edges.values()];
  }
}

const keyOf = (from: string, to: string): string => JSON.stringify([from, to]);
