import { runErrorOf } from '#kit/graph/failure-state.js';
import { writerPorts } from '#kit/graph/offline-writer.js';
import type { RunnerServices } from '#kit/graph/ports.js';
import { articleKind, type ArticleMode } from '../contract.js';
import type { AnyGraph, GraphDefinition, GraphState, HeldRun, RunEvents, RunOutcome } from '#engine/kind.js';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { articleFacts } from '../facts.js';
import { buildArticleGraph } from './graph.js';
import { ARTICLE_PROMPT_VERSION } from '../prompts/prompts.js';
import { prepareResearch } from './search.js';
import type { ArticlePorts } from './ports.js';
import type { ArticleNode } from './routing.js';
import { ArticleRules } from './rules.js';
import { buildInitialState, type ArticleState } from './state.js';

/** Ports that a runner provides for articles, in addition to the ports of all kinds. */
export type ArticleServices = (
  run: HeldRun,
  signal: AbortSignal,
) => Pick<ArticlePorts, 'research' | 'style' | 'log' | 'keep' | 'overruled' | 'approved' | 'read'>;

/** Runs of kind `article`: author and shadow (A1–A12). */
export class ArticleDefinition implements GraphDefinition {
  readonly version = articleFacts.version;
  readonly describe = articleFacts.describe;
  readonly results = articleFacts.results;
  readonly readingNodes = ['route_mode', 'check_duplicates'] satisfies ArticleNode[];

  constructor(
    private readonly services: RunnerServices,
    private readonly articles: ArticleServices,
  ) {}

  async build(run: HeldRun, events: RunEvents, signal: AbortSignal): Promise<AnyGraph> {
    const services = this.articles(run, signal);
    // Start the search for sources while the graph is built, so that the first words appear sooner.
    if (run.isNew && modeOf(run) === 'author') {
      prepareResearch(services.research, stateOf(run));
      // The database client sends statements on the next event-loop turn, and the first steps of a graph run
      // in one turn.
      await nextTurn();
    }
    const graph = buildArticleGraph({
      ...services,
      ...(await writerPorts(this.services, run, events, ARTICLE_PROMPT_VERSION)),
      rules: new ArticleRules(this.services.inThread, signal),
    });
    return graph as AnyGraph;
  }

  initialState(run: HeldRun): Promise<GraphState> {
    return Promise.resolve(stateOf(run));
  }

  outcome(graphState: GraphState): RunOutcome {
    const state = graphState as Partial<ArticleState>;
    const stages = state.fallback_stages ?? [];
    const result = {
      approved: state.approved ?? false,
      iteration_count: state.iteration_count ?? 0,
      used_fallback: stages.length > 0,
      fallback_stages: stages,
    };
    if (state.status === 'completed') return { status: 'completed', result };
    return { status: state.status === 'rejected' ? 'rejected' : 'failed', error: runErrorOf(state), result };
  }
}

const modeOf = ({ mode }: HeldRun) => (mode ?? 'author') as ArticleMode;

function stateOf(run: HeldRun) {
  const { decisions: _, ...inputs } = articleKind.inputs.parse(run.inputs);
  return buildInitialState(run.sessionId, modeOf(run), inputs);
}
