import { runErrorOf } from '#kit/graph/failure-state.js';
import type { RunnerServices } from '#kit/graph/ports.js';
import { articleKind, type ArticleMode } from '../contract.js';
import type { AnyGraph, GraphDefinition, GraphState, HeldRun, RunEvents, RunOutcome } from '#engine/kind.js';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { articleFacts } from '../facts.js';
import { ARTICLE_PROMPT_VERSION } from '../prompts/prompts.js';
import { prepareResearch } from './search.js';
import type { ArticlePorts } from './ports.js';
import { type ArticleNode, articleNodes, routingTable } from './routing.js';
import { ArticleRules } from './rules.js';
import {
  buildInitialState,
  type ArticleState,
  ArticleStateAnnotation,
  type ArticleNodeFunction,
} from './state.js';
import { decisionNodes } from '#kit/graph/decision-nodes.js';
import { budgeted, instrumentNode } from '#kit/graph/node.js';
import { graphByTable } from '#kit/graph/graph-by-table.js';
import { START } from '@langchain/langgraph';
import { authorApprove, saveMetadata } from './nodes/approve.js';
import { authorDraft, authorStyle } from './nodes/draft.js';
import { checkDuplicates, confirmTopic, routeMode } from './nodes/begin.js';
import { approveResearch, writeReport } from './nodes/report.js';
import { authorResearch, authorStructure, researchRound } from './nodes/research.js';
import { chooseArticle, exportArticle } from './nodes/export.js';
import { repurpose } from './nodes/repurpose.js';
import { ragRetriever } from './nodes/retrieve.js';
import { shadowAnalyze, shadowAnnotate, shadowApprove } from './nodes/shadow.js';

/** Ports that a runner provides for articles, in addition to the ports of all kinds. */
export type ArticleServices = (
  run: HeldRun,
  signal: AbortSignal,
) => Omit<ArticlePorts, 'rules' | 'model' | 'offline' | 'emit' | 'settings'>;

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
      ...(await this.services.writer(run, events, ARTICLE_PROMPT_VERSION)),
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

/**
 * Builds the uncompiled graph of articles (A1): author and shadow are two branches with one retriever. Nodes
 * that ask a person are remote; the others run in the agent-runner.
 */
export function buildArticleGraph(ports: ArticlePorts) {
  const nodes: Record<ArticleNode, ArticleNodeFunction> = {
    route_mode: routeMode,
    check_duplicates: checkDuplicates(ports),
    confirm_topic: confirmTopic(ports),
    author_research: budgeted(authorResearch(ports)),
    research_round: budgeted(researchRound(ports)),
    write_report: budgeted(writeReport(ports)),
    approve_research: approveResearch(ports),
    author_structure: budgeted(authorStructure(ports)),
    author_draft: budgeted(authorDraft(ports)),
    rag_retriever: ragRetriever(ports),
    author_style: budgeted(authorStyle(ports)),
    author_approve: authorApprove(ports),
    save_metadata: saveMetadata(ports),
    shadow_analyze: budgeted(shadowAnalyze(ports)),
    shadow_annotate: budgeted(shadowAnnotate(ports)),
    shadow_approve: shadowApprove(ports),
    repurpose: budgeted(repurpose(ports)),
    choose_article: chooseArticle(ports),
    export_article: exportArticle,
    ...decisionNodes(ports, { stopped: 'rejected' }),
  };
  for (const name of articleNodes) nodes[name] = instrumentNode(name, ports.emit, nodes[name]);
  const graph = graphByTable(ArticleStateAnnotation, articleNodes, nodes, routingTable);
  graph.addEdge(START, 'route_mode');
  return graph;
}
