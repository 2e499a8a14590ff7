import type { TaskRequest, TaskResult } from '#catalogue/tasks.js';
import type { RunProgress } from '#contracts/runs.js';
import type { AnyGraph, GraphDefinition, GraphState, HeldRun, RunEvents } from '#engine/kind.js';
import { Annotation, END, interrupt, Send, START, StateGraph } from '@langchain/langgraph';

/** State of a tiny graph. Each node adds one word; `item` is the input of a parallel branch. */
const TinyState = Annotation.Root({
  words: Annotation<string[]>({ reducer: (all, more) => [...all, ...more], default: () => [] }),
  item: Annotation<string>(),
});

interface TinyContext {
  run: HeldRun;
  events: RunEvents;
  signal: AbortSignal;
  item: string;
}

/** Definition of a tiny graph's node. */
export type TinyNode =
  /** Runs here, emits `node_complete` under a separate effect key and adds the word it returns. */
  | {
      kind: 'local';
      name: string;
      /** Marks a node that only reads. */
      reads?: true;
      work?: (context: TinyContext) => Promise<string> | string;
    }
  /** Delegates to the queue `converter` and adds `name=answer` or `name!code`. */
  | { kind: 'remote'; name: string }
  /** Asks a person and adds `name=text`. */
  | { kind: 'human'; name: string; deadlineSeconds?: number }
  /** Delegates to the queue `converter` once for each item, concurrently. */
  | { kind: 'fan-out'; name: string; items: string[] };

function taskOf(node: TinyNode, item: string): TaskRequest {
  if (node.kind !== 'human')
    return { task: 'parse_to_json', input: { session_id: 'tiny', manuscript: item } };
  return {
    task: 'human_input',
    input: {
      session_id: 'tiny',
      decision_type: 'question',
      question: `What about ${node.name}?`,
      references: [],
      context: [],
      deadline_seconds: node.deadlineSeconds ?? 3_600,
      default_answer: { text: 'default' },
    },
  };
}

function wordOf(name: string, result: TaskResult): string {
  if (!result.ok) return `${name}!${result.error.code}`;
  return `${name}=${String(result.output['text'] ?? result.output['structure_json_path'])}`;
}

/** A graph that runs its nodes in order. Its outcome's summary contains the words. */
export class TinyGraph implements GraphDefinition {
  readonly version: string = 'tiny-1';

  constructor(private readonly nodes: TinyNode[]) {}

  get nodeNames(): string[] {
    return this.nodes.map(({ name }) => name);
  }

  get readingNodes(): string[] {
    return this.nodes.flatMap((node) => (node.kind === 'local' && node.reads ? node.name : []));
  }

  build(run: HeldRun, events: RunEvents, signal: AbortSignal): Promise<AnyGraph> {
    const graph = new StateGraph(TinyState) as {
      addNode(name: string, body: (state: typeof TinyState.State) => unknown): void;
      addEdge(from: string, to: string): void;
      addConditionalEdges(from: string, route: () => Send[]): void;
    };
    let last: string = START;
    for (const node of this.nodes) {
      graph.addNode(node.name, (state) => this.work(node, { run, events, signal, item: state.item }));
      if (node.kind === 'fan-out') {
        const sends = () => node.items.map((item) => new Send(node.name, { item }));
        graph.addConditionalEdges(last, sends);
      } else graph.addEdge(last, node.name);
      last = node.name;
    }
    graph.addEdge(last, END);
    return Promise.resolve(graph as AnyGraph);
  }

  initialState(): Promise<GraphState> {
    return Promise.resolve({ words: ['start'] });
  }

  outcome(state: GraphState) {
    return { status: 'completed' as const, result: this.describe(state).details };
  }

  describe(state: GraphState): RunProgress {
    return { phase: null, label: null, done: null, total: null, details: { words: state['words'] } };
  }

  private async work(node: TinyNode, context: TinyContext): Promise<{ words: string[] }> {
    if (node.kind === 'local') {
      const word = (await node.work?.(context)) ?? node.name;
      context.events.emit({
        type: 'node_complete',
        data: { node: node.name },
        effectKey: `node/${node.name}`,
      });
      return { words: [word] };
    }
    const item = node.kind === 'fan-out' ? context.item : node.name;
    const name = node.kind === 'fan-out' ? `${node.name}.${item}` : node.name;
    return { words: [wordOf(name, interrupt(taskOf(node, item)) as TaskResult)] };
  }
}
