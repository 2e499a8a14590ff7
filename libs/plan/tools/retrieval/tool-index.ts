import { keptTermsOf, termsOf, TermIndex } from './terms.js';

/** The texts by which a tool is found. */
export interface SearchableTool {
  name: string;
  description: string;
  /** Meaning of each parameter, by its name. */
  parameters: Record<string, string>;
}

/** Knowledge from successful requests (P9). */
export interface Learnt {
  /** Successful requests, by the name of the tool that served them. */
  requests: ReadonlyMap<string, readonly string[]>;
  edges: readonly CoUseEdge[];
}

/** A found tool with its scores by text, meaning, past requests and co-use, each 0…1 relative to the best tool. */
interface ToolHit {
  name: string;
  score: number;
  text: number;
  meaning: number;
  requests: number;
  rank: number;
}

const TEXT_WEIGHTS = { k1: 2, b: 0.75 };
/** Past requests accumulate with use: a small `b` avoids penalizing tools that are used a lot. */
const REQUEST_WEIGHTS = { k1: 2, b: 0.3 };
/**
 * Number of top hits that seed the walk over co-use. Their scores are raised to the power below, so that the
 * best ones dominate.
 */
const SEEDS = 10;
const SEED_SHARPNESS = 4;
/**
 * Weight of the best tool by meaning, relative to 1 for the best tool by words. The scores by meaning are raised to the
 * power of `MEANING_SHARPNESS`, because many tools are slightly similar to any request (`npm run eval:tools`).
 */
const MEANING_WEIGHT = 0.7;
const MEANING_SHARPNESS = 4;
const RERANK_DAMPING = 0.5;
const RERANK_WEIGHT = 1;
/** Number of uses at which past requests get half of their full weight: a single use proves little. */
const USES_HALFWAY = 5;
/** Total edge weight at which the walk follows a tool's co-use half of the time. */
const WEIGHT_HALFWAY = 10;
const IMPORTANCE_DAMPING = 0.85;

/**
 * Finds tools for a request: BM25 over their text and over past requests, re-ranked by personalised PageRank
 * over co-use.
 */
export class ToolIndex {
  private readonly text: TermIndex;
  private readonly requests: TermIndex;
  /** Weight of each tool's past requests, 0…1. */
  private readonly trust: number[];
  private readonly links: WeightedEdge[];
  readonly coUse: CoUseGraph;

  constructor(
    private readonly tools: readonly SearchableTool[],
    learnt: Learnt = { requests: new Map(), edges: [] },
  ) {
    this.text = new TermIndex(
      tools.map((tool) => keptTermsOf(textOf(tool))),
      TEXT_WEIGHTS,
    );
    this.requests = new TermIndex(
      tools.map(({ name }) => (learnt.requests.get(name) ?? []).flatMap(keptTermsOf)),
      REQUEST_WEIGHTS,
    );
    this.trust = tools.map(({ name }) => trustIn(learnt.requests.get(name)?.length ?? 0));
    this.coUse = new CoUseGraph(learnt.edges);
    this.links = linksOf(tools, learnt.edges);
  }

  /**
   * Returns the best tools for a request, best first. Tools with a score of 0 are left out.
   *
   * @param similarities similarity of each tool's vector to the request's, by name; without them, words decide
   */
  search(request: string, limit: number, similarities: ReadonlyMap<string, number> | null = null): ToolHit[] {
    const query = termsOf(request);
    const text = this.text.scores(query);
    const requests = this.requests.scores(query).map((score, tool) => score * this.trust[tool]!);
    const lexical = scaled(text.map((score, tool) => score + requests[tool]!));
    const meaning = this.meaning(similarities);
    const found = scaled(lexical.map((score, tool) => score + MEANING_WEIGHT * meaning[tool]!));
    const rank = this.links.length === 0 ? found.map(() => 0) : scaled(this.reach(found));
    const [byText, byRequests] = [scaled(text), scaled(requests)];
    return this.tools
      .map(({ name }, tool) => ({
        name,
        score: found[tool]! + RERANK_WEIGHT * rank[tool]!,
        text: byText[tool]!,
        meaning: meaning[tool]!,
        requests: byRequests[tool]!,
        rank: rank[tool]!,
      }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1))
      .slice(0, limit);
  }

  /**
   * Returns the weighted PageRank of each tool in the tenant's co-use graph, by name; the ranks sum to 1
   * (P9).
   */
  importance(): Map<string, number> {
    const ranks = pageRank(new Float64Array(this.tools.length), this.links, IMPORTANCE_DAMPING);
    return new Map(this.tools.map(({ name }, tool) => [name, ranks[tool]!]));
  }

  /**
   * Returns how far the similarity of each tool is above the mean, sharpened: 1 for the best tool, 0 for the mean and
   * below. Models differ in how similar unrelated texts are, so the similarity itself says little.
   */
  private meaning(similarities: ReadonlyMap<string, number> | null): Float64Array {
    const values = Float64Array.from(this.tools, ({ name }) => similarities?.get(name) ?? 0);
    const mean = values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
    const above = scaled(values.map((value) => Math.max(0, value - mean)));
    return above.map((value) => value ** MEANING_SHARPNESS);
  }

  /** Returns the ranks of a walk over co-use that starts at the best hits. */
  private reach(found: Float64Array): Float64Array {
    const least = [...found].sort((a, b) => b - a)[SEEDS] ?? 0;
    const seeds = found.map((score) => (score > least ? score ** SEED_SHARPNESS : 0));
    return seeds.some((seed) => seed > 0)
      ? pageRank(seeds, this.links, RERANK_DAMPING, WEIGHT_HALFWAY)
      : seeds;
  }
}

/**
 * Returns the weight of past requests. It grows with the square of the uses, so that a few change little and
 * twenty give nearly the full weight.
 */
function trustIn(uses: number): number {
  return uses ** 2 / (uses ** 2 + USES_HALFWAY ** 2);
}

function textOf({ name, description, parameters }: SearchableTool): string {
  return [name, description, ...Object.entries(parameters).flat()].join(' ');
}

/**
 * Returns the co-use edges in both directions: a request that needs one tool of a pair often needs the other.
 */
function linksOf(tools: readonly SearchableTool[], edges: readonly CoUseEdge[]): WeightedEdge[] {
  const position = new Map(tools.map(({ name }, index) => [name, index]));
  return edges.flatMap(({ from, to, count, confidence }) => {
    const [a, b] = [position.get(from), position.get(to)];
    if (a === undefined || b === undefined) return [];
    const weight = count * confidence;
    return [
      { from: a, to: b, weight },
      { from: b, to: a, weight },
    ];
  });
}

/** Divides scores by the best one. */
function scaled(scores: Float64Array): Float64Array {
  const best = scores.reduce((most, score) => Math.max(most, score), 0);
  return best === 0 ? scores : scores.map((score) => score / best);
}

/** Number of times one tool was used after another (P9). */
interface CoUseEdge {
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

/** A directed edge between nodes, which are given by position. */
interface WeightedEdge {
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
