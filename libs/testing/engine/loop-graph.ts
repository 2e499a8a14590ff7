import type { RunProgress } from '#contracts/runs.js';
import type { AnyGraph, GraphDefinition, GraphState, HeldRun } from '#engine/kind.js';
import { Annotation, END, interrupt, START, StateGraph } from '@langchain/langgraph';

const LoopState = Annotation.Root({ count: Annotation<number>(), text: Annotation<string>() });

/** A graph that repeats one node a given number of times, adding the same amount of text each time, then asks a person. */
export class LoopGraph implements GraphDefinition {
  readonly version = 'loop-1';

  constructor(
    private readonly steps: number,
    private readonly textBytes = 1_000,
  ) {}

  build(_run: HeldRun): Promise<AnyGraph> {
    const request = {
      session_id: 'loop',
      decision_type: 'question',
      question: 'Enough?',
      references: [],
      context: [],
      deadline_seconds: 3_600,
      default_answer: { text: 'yes' },
    };
    const graph = new StateGraph(LoopState)
      .addNode('turn', ({ count }) => ({ count: count + 1, text: String(count % 10).repeat(this.textBytes) }))
      .addNode('ask', () => {
        interrupt({ task: 'human_input', input: request });
        return { text: '' };
      })
      .addEdge(START, 'turn')
      .addConditionalEdges('turn', ({ count }) => (count < this.steps ? 'turn' : 'ask'), ['turn', 'ask'])
      .addEdge('ask', END);
    return Promise.resolve(graph as AnyGraph);
  }

  initialState(): Promise<GraphState> {
    return Promise.resolve({ count: 0, text: '' });
  }

  outcome(state: GraphState) {
    return { status: 'completed' as const, result: this.describe(state).details };
  }

  describe(state: GraphState): RunProgress {
    return { phase: null, label: null, done: null, total: null, details: { count: state['count'] } };
  }
}
