/** A directed edge between nodes, which are given by position. */
export interface WeightedEdge {
  from: number;
  to: number;
  weight: number;
}

const MAX_ITERATIONS = 50;
/** The iteration ends when the ranks change by less than this in total. */
const TOLERANCE = 1e-9;

/**
 * Computes weighted PageRank by power iteration. Restarts of the walk are distributed by `seeds`: equal seeds
 * give plain PageRank, a few seeds the personalised one. At a node without outgoing edges the walk restarts;
 * at a node with little edge weight it restarts in part of the cases.
 *
 * @param seeds one weight of at least 0 per node; if all are 0, all nodes are equal seeds
 * @param damping share of steps that follow an edge, 0…1
 * @param halfway total edge weight of a node at which the walk follows its edges half of the time; with 0 it
 * always follows them
 * @returns ranks that sum to 1
 */
export function pageRank(
  seeds: ArrayLike<number>,
  edges: readonly WeightedEdge[],
  damping: number,
  halfway = 0,
): Float64Array {
  const start = distribution(seeds);
  const out = new Float64Array(start.length);
  for (const { from, weight } of edges) out[from]! += weight;
  let ranks = start;
  for (let iteration = 0; iteration < MAX_ITERATIONS; iteration++) {
    const next = step(ranks, start, edges, { out, damping, halfway });
    const moved = next.reduce((sum, rank, node) => sum + Math.abs(rank - ranks[node]!), 0);
    ranks = next;
    if (moved < TOLERANCE) break;
  }
  return ranks;
}

function distribution(seeds: ArrayLike<number>): Float64Array {
  const start = Float64Array.from(seeds);
  const total = start.reduce((sum, seed) => sum + seed, 0);
  return start.map((seed) => (total > 0 ? seed / total : 1 / start.length));
}

interface Walk {
  /** Weight of all edges of each node. */
  out: Float64Array;
  damping: number;
  halfway: number;
}

function step(
  ranks: Float64Array,
  start: Float64Array,
  edges: readonly WeightedEdge[],
  { out, damping, halfway }: Walk,
): Float64Array {
  const reached = new Float64Array(ranks.length);
  let followed = 0;
  for (const { from, to, weight } of edges) {
    const flow = (ranks[from]! * weight) / (out[from]! + halfway);
    reached[to]! += flow;
    followed += flow;
  }
  const stranded = 1 - followed;
  return reached.map(
    (rank, node) => (1 - damping) * start[node]! + damping * (rank + stranded * start[node]!),
  );
}
