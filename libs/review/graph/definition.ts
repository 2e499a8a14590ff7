import { detailOf } from '#contracts/phrases/detail.js';
import type { AnyGraph, GraphDefinition, GraphState, HeldRun, RunEvents, RunOutcome } from '#engine/kind.js';
import { failureState, runErrorOf } from '#kit/graph/failure-state.js';
import { instrumentNode, stepKey, type NodeFunction } from '#kit/graph/node.js';
import { runRemotely } from '#kit/graph/remote.js';
import { END, START, StateGraph } from '@langchain/langgraph';
import { reviewKind } from '../contract.js';
import { reviewFacts } from '../facts.js';
import { ReviewStateAnnotation, type ReviewState } from './state.js';

type Node = NodeFunction<ReviewState, Partial<ReviewState>>;

/** Runs of kind `review`: one task reads the returned file; people decide about the proposals afterwards. */
export class ReviewDefinition implements GraphDefinition {
  readonly version = reviewFacts.version;
  readonly describe = reviewFacts.describe;
  readonly results = reviewFacts.results;

  build(_run: HeldRun, events: RunEvents): Promise<AnyGraph> {
    const read: Node = ({ session_id, inputs: { file_id, name } }, config) => {
      const outcome = runRemotely('read_review', { session_id, file_id, name });
      if (!outcome.ok) {
        const { error } = outcome;
        return Promise.resolve({ status: 'failed', ...failureState(error.code, detailOf(error)) });
      }
      const { proposals } = outcome.output;
      events.emit({
        type: 'review_read',
        data: { proposals },
        effectKey: `${stepKey(config)}/review_read`,
      });
      return Promise.resolve({ status: 'completed', proposals });
    };
    const node = instrumentNode('read_review', events.emit, read);
    const graph = new StateGraph(ReviewStateAnnotation)
      .addNode('read_review', node)
      .addEdge(START, 'read_review')
      .addEdge('read_review', END);
    return Promise.resolve(graph as AnyGraph);
  }

  initialState(run: HeldRun): Promise<GraphState> {
    const { decisions: _, ...inputs } = reviewKind.inputs.parse(run.inputs);
    return Promise.resolve({ session_id: run.sessionId, inputs });
  }

  outcome(graphState: GraphState): RunOutcome {
    const state = graphState as Partial<ReviewState>;
    if (state.status === 'completed')
      return { status: 'completed', result: { proposals: state.proposals ?? 0 } };
    return { status: 'failed', error: runErrorOf(state) };
  }
}
