import { TermIndex } from './term-index.js';
import { CoUseGraph, type CoUseEdge } from './co-use.js';
import { pageRank, type WeightedEdge } from './page-rank.js';
import { keptTermsOf, termsOf } from './terms.js';

/** What a tool is found by. */
export interface SearchableTool {
  name: string;
  description: string;
  /** Name of each parameter and what it means. */
  parameters: Record<string, string>;
}

/** What was learnt from successful requests (P9). */
export interface Learnt {
  /** Requests, by the name of the tool that served them. */
  requests: ReadonlyMap<string, readonly string[]>;
  edges: readonly CoUseEdge[];
}

/** A tool that was found, and why: what its own text, past requests and co-use give it, each 0…1 of the best one's. */
export interface ToolHit {
  name: string;
  score: number;
  text: number;
  requests: number;
  rank: number;
}

const TEXT_WEIGHTS = { k1: 2, b: 0.75 };
/** Requests pile up with use: a tool that is used a lot is not to be held back for it. */
const REQUEST_WEIGHTS = { k1: 2, b: 0.3 };
/** So many of the first hits seed the walk over co-use; sharpened, so that the best of them count. */
const SEEDS = 10;
const SEED_SHARPNESS = 4;
const RERANK_DAMPING = 0.5;
const RERANK_WEIGHT = 1;
/** Uses at which past requests count half of what they count in the end: a tool that was used once is not yet known by it. */
const USES_HALFWAY = 5;
/** Weight of its edges at which a tool's co-use leads the walk every other time. */
const WEIGHT_HALFWAY = 10;
const IMPORTANCE_DAMPING = 0.85;

/** Finds tools for a request: BM25 over their text and over past requests, re-ranked by personalised PageRank over co-use. */
export class ToolIndex {
  private readonly text: TermIndex;
  private readonly requests: TermIndex;
  /** How far the past requests of each tool are to be trusted, 0…1. */
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

  /** The best tools for a request, best first; none that shares nothing with it. */
  search(request: string, limit: number): ToolHit[] {
    const query = termsOf(request);
    const text = this.text.scores(query);
    const requests = this.requests.scores(query).map((score, tool) => score * this.trust[tool]!);
    const lexical = scaled(text.map((score, tool) => score + requests[tool]!));
    const rank = this.links.length === 0 ? lexical.map(() => 0) : scaled(this.reach(lexical));
    const [byText, byRequests] = [scaled(text), scaled(requests)];
    return this.tools
      .map(({ name }, tool) => ({
        name,
        score: lexical[tool]! + RERANK_WEIGHT * rank[tool]!,
        text: byText[tool]!,
        requests: byRequests[tool]!,
        rank: rank[tool]!,
      }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1))
      .slice(0, limit);
  }

  /** How much the learnt ways of the tenant lead to each tool: weighted PageRank, by name; sums to 1 (P9). */
  importance(): Map<string, number> {
    const ranks = pageRank(new Float64Array(this.tools.length), this.links, IMPORTANCE_DAMPING);
    return new Map(this.tools.map(({ name }, tool) => [name, ranks[tool]!]));
  }

  /** Where a walk over co-use ends that starts at the best lexical hits. */
  private reach(lexical: Float64Array): Float64Array {
    const least = [...lexical].sort((a, b) => b - a)[SEEDS] ?? 0;
    const seeds = lexical.map((score) => (score > least ? score ** SEED_SHARPNESS : 0));
    return seeds.some((seed) => seed > 0)
      ? pageRank(seeds, this.links, RERANK_DAMPING, WEIGHT_HALFWAY)
      : seeds;
  }
}

/** Grows with the square of the uses, so that a handful of them changes little and twenty nearly all. */
function trustIn(uses: number): number {
  return uses ** 2 / (uses ** 2 + USES_HALFWAY ** 2);
}

function textOf({ name, description, parameters }: SearchableTool): string {
  return [name, description, ...Object.entries(parameters).flat()].join(' ');
}

/** Edges as the walk takes them, both ways: who needs one of two tools that go together needs the other. */
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

/** The scores as shares of the best one. */
function scaled(scores: Float64Array): Float64Array {
  const best = scores.reduce((most, score) => Math.max(most, score), 0);
  return best === 0 ? scores : scores.map((score) => score / best);
}
