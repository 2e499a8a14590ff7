import { runErrorOf } from '#kit/graph/failure-state.js';
import type { RunnerServices } from '#kit/graph/ports.js';
import type { AnyGraph, GraphDefinition, GraphState, HeldRun, RunEvents, RunOutcome } from '#engine/kind.js';
import type { Phrase } from '#contracts/phrases/phrase.js';
import { continueByRules } from '#kit/graph/ask-about-model.js';
import { decisionNodes } from '#kit/graph/decision-nodes.js';
import { budgeted, instrumentNode } from '#kit/graph/node.js';
import { graphByTable } from '#kit/graph/graph-by-table.js';
import { START } from '@langchain/langgraph';
import { bookKind } from '../contract.js';
import { bookFacts } from '../facts.js';
import type { BookKnowledge, BookPorts, BookStore } from './ports.js';
import { BookRules } from './rules.js';
import { buildInitialState } from './initial-state.js';
import { type BookNodeFunction, type BookState, BookStateAnnotation } from './state.js';
import { exportNode, nextChapter, writeChapter } from './nodes/book.js';
import { draftNode, persistNode, planNode, reviewNode } from './nodes/chapter.js';
import { retrieveContext } from './nodes/chapter-context.js';
import { assistNode } from './nodes/profile.js';
import { researchNode } from './nodes/research.js';
import { runRefineToc, runToc } from './nodes/outline.js';
import { ASSIST_STAGE } from '../profile/finalize.js';
import { type BookNode, bookNodes, firstNode, routingTable } from './routing.js';

/** Rises with every change of a prompt; recorded with each run. */
const BOOK_PROMPT_VERSION = 'book.v11';

/** Services that a runner provides for books, in addition to the services of all kinds. */
export interface BookServices {
  store(run: HeldRun): BookStore;
  knowledge(run: HeldRun, store: BookStore, signal: AbortSignal): BookKnowledge;
}

/** Runs of kind `book`: outline, chapters with a review loop, export (B1–B26). */
export class BookDefinition implements GraphDefinition {
  readonly version = bookFacts.version;
  readonly describe = bookFacts.describe;

  constructor(
    private readonly services: RunnerServices,
    private readonly books: BookServices,
  ) {}

  async build(run: HeldRun, events: RunEvents, signal: AbortSignal): Promise<AnyGraph> {
    const book = this.books.store(run);
    const graph = buildBookGraph({
      book,
      knowledge: this.books.knowledge(run, book, signal),
      ...(await this.services.writer(run, events, BOOK_PROMPT_VERSION)),
      rules: new BookRules(this.services.inThread, signal),
    });
    return graph as AnyGraph;
  }

  async initialState(run: HeldRun): Promise<GraphState> {
    const { id } = await this.books.store(run).load();
    const { decisions: _, ...inputs } = bookKind.inputs.parse(run.inputs);
    const state = buildInitialState({
      session_id: run.sessionId,
      project_id: id,
      trace_id: run.traceparent?.split('-')[1] ?? run.id,
      mode: (run.mode ?? 'toc') as BookState['mode'],
      inputs,
    });
    return { ...state };
  }

  outcome(graphState: GraphState): RunOutcome {
    const state = graphState as Partial<BookState>;
    const { status, exports = [], fallback_stages = [], review_result: review } = state;
    const result = {
      exports,
      used_fallback: fallback_stages.length > 0,
      fallback_stages,
      stopped: state.stopped ?? false,
      ...(review ? { score: review.score, words: review.words } : {}),
    };
    if (status === 'completed') return { status: 'completed', result };
    return { status: 'failed', error: runErrorOf(state), result };
  }
}

/** Operations on an author's free text, which no rules can do. */
const ONLY_BY_MODEL = ['refine_outline', ASSIST_STAGE];

const offeredRules = (operation: string): Phrase | null =>
  ONLY_BY_MODEL.includes(operation) ? null : continueByRules;

/**
 * Builds the uncompiled graph of books (B4–B12), routed by mode. `write_chapter`, `run_export`,
 * `budget_decision` and `model_decision` are remote; the other nodes run in the agent-runner.
 */
export function buildBookGraph(ports: BookPorts) {
  const nodes: Record<BookNode, BookNodeFunction> = {
    run_toc: budgeted(runToc(ports)),
    run_refine_toc: budgeted(runRefineToc(ports)),
    next_chapter: nextChapter(ports),
    write_chapter: writeChapter(ports),
    chapter_retrieve_context: retrieveContext(ports),
    chapter_research: budgeted(researchNode(ports)),
    chapter_plan: budgeted(planNode(ports)),
    chapter_draft: budgeted(draftNode(ports)),
    chapter_review: budgeted(reviewNode(ports)),
    chapter_persist: persistNode(ports),
    run_export: exportNode(ports),
    assist_profile: budgeted(assistNode(ports)),
    ...decisionNodes(ports, { stopped: 'failed', byRules: offeredRules }),
  };
  for (const name of bookNodes)
    nodes[name] = instrumentNode(name, ports.emit, nodes[name], ({ chapter_number: chapter }) => ({
      chapter,
    }));
  const graph = graphByTable(BookStateAnnotation, bookNodes, nodes, routingTable);
  graph.addConditionalEdges(START, (state: BookState) => firstNode(state), [
    'run_toc',
    'run_refine_toc',
    'next_chapter',
    'run_export',
    'assist_profile',
  ]);
  return graph;
}
