import { runErrorOf } from '#kit/graph/failure-state.js';
import { writerPorts } from '#kit/graph/offline-writer.js';
import type { RunnerServices } from '#kit/graph/ports.js';
import { bookKind } from '../contract.js';
import type { AnyGraph, GraphDefinition, GraphState, HeldRun, RunEvents, RunOutcome } from '#engine/kind.js';
import { bookFacts } from '../facts.js';
import { buildBookGraph } from './graph.js';
import { BOOK_PROMPT_VERSION } from '../prompts/prompts.js';
import type { BookKnowledge, BookStore } from './ports.js';
import { BookRules } from './rules.js';
import { buildInitialState } from './initial-state.js';
import type { BookState } from './state.js';

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
      ...(await writerPorts(this.services, run, events, BOOK_PROMPT_VERSION)),
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
