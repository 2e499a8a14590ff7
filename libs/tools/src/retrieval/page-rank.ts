/** An edge between nodes given by position; the walk takes it in its direction. */
export interface WeightedEdge {
  from: number;
  to: number;
  weight: number;
}

const MAX_ITERATIONS = 50;
/** The walk has settled when the ranks move by less than this in all. */
const TOLERANCE = 1e-9;

/**
 * Weighted PageRank by power iteration. Where the walk starts anew is given by `seeds`: the same for all nodes gives plain
 * PageRank, a few nodes give the personalised one. A node without a way out sends the walk back to the seeds, one with little
 * evidence does so in part.
 *
 * @param seeds one weight of at least 0 per node; when all are 0, every node is a seed alike
 * @param damping the share of steps that follow an edge, 0…1
 * @param halfway the weight of all edges of a node at which the walk takes them every other time; 0 takes them always
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
