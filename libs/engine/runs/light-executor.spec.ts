import { atDepth } from '#testing/depth.js';
import type { RunnableConfig } from '@langchain/core/runnables';
import { Annotation, END, interrupt, RunControl, Send, START, StateGraph } from '@langchain/langgraph';
import {
  BaseCheckpointSaver,
  copyCheckpoint,
  type ChannelVersions,
  type Checkpoint,
  type CheckpointMetadata,
  type CheckpointTuple,
  type PendingWrite,
} from '@langchain/langgraph-checkpoint';
import fc from 'fast-check';
import type { AnyGraph } from '../kind.js';
import type { GraphExecutor, Stopped } from './channel-state.js';
import { graphExecutor, langGraphExecutor } from './graph-executor.js';
import { LightExecutor } from './light-executor.js';

const State = Annotation.Root({
  words: Annotation<string[]>({ reducer: (all, more) => [...all, ...more], default: () => [] }),
  last: Annotation<string>(),
  item: Annotation<number>(),
});
type Values = typeof State.State;

interface NodePlan {
  update: 'word' | 'last' | 'empty' | 'nothing';
  /** Questions that it asks. */
  asks: number;
  /** Times that it fails before it works. */
  fails: number;
  edges: number[];
  /** Targets of a conditional edge, chosen by the number of words. */
  choices: number[];
  sends: { to: number; items: number } | null;
}

interface Plan {
  /** Decides in which order the tasks of a step end. */
  pace: number;
  nodes: NodePlan[];
  start: { edges: number[]; choices: number[] };
  /** Call of the saver that fails in a leg, with all later ones; null for none. */
  crashes: (number | null)[];
  /** Node calls after which a leg has to stop between two steps; null for none. */
  drains: (number | null)[];
  /** Which of the open questions a leg answers. */
  answers: number[];
}

const MAX_NODES = 6;
const target = fc.integer({ min: 0, max: MAX_NODES });
const rarely = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 2 });
const plans: fc.Arbitrary<Plan> = fc.record({
  pace: fc.nat(11),
  nodes: fc.array(
    fc.record({
      update: fc.constantFrom('word', 'word', 'word', 'last', 'empty', 'nothing'),
      asks: fc.constantFrom(0, 0, 0, 1, 2),
      fails: fc.constantFrom(0, 0, 0, 0, 1),
      edges: fc.uniqueArray(target, { maxLength: 2 }),
      choices: fc.array(target, { maxLength: 3 }),
      sends: fc.option(fc.record({ to: target, items: fc.nat(3) }), { freq: 3 }),
    }),
    { minLength: 1, maxLength: MAX_NODES },
  ),
  start: fc.record({
    edges: fc.uniqueArray(target, { minLength: 1, maxLength: 2 }),
    choices: fc.array(target, { minLength: 1, maxLength: 2 }),
  }),
  crashes: fc.array(rarely(fc.nat(12)), { maxLength: 6 }),
  drains: fc.array(rarely(fc.nat(6)), { maxLength: 6 }),
  answers: fc.array(fc.nat(7), { minLength: 1, maxLength: 6 }),
});

/** Everything that an execution did, in order. */
type Trace = object[];

/** A saver in memory that records what it stores, and fails from a given call on. */
class RecordingSaver extends BaseCheckpointSaver<string> {
  private readonly tuples = new Map<string, CheckpointTuple>();
  private readonly writes = new Map<string, Map<string, [string, string, unknown]>>();
  private newest: string | undefined;
  callsLeft = Number.POSITIVE_INFINITY;

  constructor(private readonly trace: Trace) {
    super();
  }

  override getNextVersion(current: string | undefined): string {
    return `${String(Number.parseInt(current ?? '0', 10) + 1).padStart(16, '0')}.writer`;
  }

  getTuple({ configurable }: RunnableConfig): Promise<CheckpointTuple | undefined> {
    const id = (configurable?.['checkpoint_id'] as string | undefined) ?? this.newest;
    const tuple = id === undefined ? undefined : this.tuples.get(id);
    if (!tuple) return Promise.resolve(undefined);
    const pendingWrites = [...(this.writes.get(id!)?.values() ?? [])];
    return Promise.resolve({ ...tuple, checkpoint: copyCheckpoint(tuple.checkpoint), pendingWrites });
  }

  async put(
    { configurable }: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    versions: ChannelVersions,
  ): Promise<RunnableConfig> {
    await this.call();
    const { thread_id, checkpoint_ns, checkpoint_id: parent } = configurable!;
    const at = (id: unknown) => ({ configurable: { thread_id, checkpoint_ns, checkpoint_id: id } });
    // A number of changes shows that nothing is stored twice, and a list of keys that nothing is left out.
    this.trace.push({ put: checkpoint, metadata, versions, parent });
    this.tuples.set(checkpoint.id, {
      config: at(checkpoint.id) as RunnableConfig,
      checkpoint: copyCheckpoint(checkpoint),
      metadata,
      ...(parent === undefined ? {} : { parentConfig: at(parent) as RunnableConfig }),
    });
    this.newest = checkpoint.id;
    return at(checkpoint.id) as RunnableConfig;
  }

  async putWrites(
    { configurable }: RunnableConfig,
    writes: PendingWrite[],
    task: string,
    path = '',
  ): Promise<void> {
    await this.call();
    const id = configurable!['checkpoint_id'] as string;
    this.trace.push({ putWrites: writes, id, task, path });
    const stored = this.writes.get(id) ?? new Map<string, [string, string, unknown]>();
    this.writes.set(id, stored);
    writes.forEach(([channel, value], index) => {
      const isSpecial = ['__error__', '__interrupt__', '__resume__'].includes(channel as string);
      const key = `${task}|${isSpecial ? (channel as string) : index}`;
      if (isSpecial || !stored.has(key)) stored.set(key, [task, channel as string, value]);
    });
  }

  async *list(): AsyncGenerator<CheckpointTuple> {
    throw new Error('not used');
  }

  deleteThread(): Promise<void> {
    throw new Error('not used');
  }

  private call(): Promise<void> {
    return this.callsLeft-- > 0 ? Promise.resolve() : Promise.reject(new Error('the process died'));
  }
}

/** A plan's graph; its nodes record their calls. */
class PlannedGraph {
  private readonly failed = new Map<number, number>();
  private running: { isFailing: boolean; release: () => void }[] = [];
  onCall: () => void = () => undefined;

  constructor(
    private readonly plan: Plan,
    private readonly trace: Trace,
  ) {}

  build(): AnyGraph {
    const { nodes, start } = this.plan;
    const graph = new StateGraph(State) as unknown as {
      addNode(name: string, body: (state: Values, config: RunnableConfig) => unknown): void;
      addEdge(from: string, to: string): void;
      addConditionalEdges(from: string, path: (state: Values) => unknown, ends?: string[]): void;
    };
    const nameOf = (index: number) => (index < nodes.length ? `node_${String(index)}` : END);
    const choose =
      (choices: number[], sends: NodePlan['sends'] = null) =>
      (state: Values) => {
        this.trace.push({ decides: state });
        const next = choices[state.words.length % choices.length];
        const isOver = next === undefined || state.words.length > 20;
        const items = Array.from({ length: sends?.items ?? 0 }, (_, item) => item);
        const { last } = state;
        const sent = items.map((item) => new Send(nameOf(sends!.to), { item, last, words: [] }));
        return [isOver ? END : nameOf(next), ...sent];
      };
    nodes.forEach((node, index) => {
      graph.addNode(nameOf(index), (state, config) => this.work(node, index, state, config));
    });
    const connect = (from: string, index: number, { edges, choices, sends }: Partial<NodePlan>) => {
      // Loops are conditional, so that they end.
      for (const to of edges!) if (to > index) graph.addEdge(from, nameOf(to));
      const many = sends && sends.to > index && sends.to < nodes.length ? sends : null;
      const ends =
        index % 2 === 0 ? [[...choices!.map(nameOf), END, ...(many ? [nameOf(many.to)] : [])]] : [];
      if (choices!.length > 0 || many) graph.addConditionalEdges(from, choose(choices!, many), ...ends);
    };
    connect(START, -1, start);
    nodes.forEach((node, index) => connect(nameOf(index), index, node));
    return graph as unknown as AnyGraph;
  }

  /** Forgets the nodes that a failed one has aborted. */
  beginLeg(): void {
    this.running = [];
  }

  /**
   * Lets the nodes of a step end one after the other, those that fail last: how much of a task LangGraph has written when
   * another one fails depends on single turns.
   */
  private async endInTurn(): Promise<void> {
    const { running } = this;
    const turn = () => new Promise(setImmediate);
    await turn();
    while (running.length > 0) {
      const working = running.filter(({ isFailing }) => !isFailing);
      const candidates = working.length > 0 ? working : running;
      const next = candidates[this.plan.pace % candidates.length]!;
      running.splice(running.indexOf(next), 1);
      next.release();
      for (let turns = 0; turns < 3; turns++) await turn();
    }
  }

  private async work(node: NodePlan, index: number, state: Values, config: RunnableConfig): Promise<unknown> {
    const { langgraph_checkpoint_ns: ns, langgraph_step: step } = config.metadata as Record<string, unknown>;
    const { langgraph_path: path, langgraph_triggers: triggers } = config.metadata as Record<string, unknown>;
    this.trace.push({ node: index, state, ns, step, path, triggers, isAborted: config.signal?.aborted });
    this.onCall();
    if (this.running.length === 0) void this.endInTurn();
    const failures = this.failed.get(index) ?? 0;
    const isFailing = failures < node.fails;
    this.failed.set(index, failures + 1);
    await new Promise<void>((release) => this.running.push({ isFailing, release }));
    const answers = Array.from({ length: node.asks }, (_, ask) => interrupt({ ask, of: index }) as string);
    if (isFailing) throw new Error(`node ${String(index)} fails`);
    if (node.update === 'nothing') return null;
    if (node.update === 'empty') return {};
    const word = [index, state.item ?? '', ...answers].join('.');
    return node.update === 'word' ? { words: [word], unknown: 1 } : { last: word, words: [word] };
  }
}

/** Returns the state; a step whose updates exclude each other has none. */
const stateOf = async (executor: GraphExecutor): Promise<Pick<Stopped, 'values' | 'tasks'>> => {
  try {
    return await executor.getState();
  } catch (error) {
    expect((error as Error).name).toBe('InvalidUpdateError');
    return { values: { isInvalid: true }, tasks: [{ id: '', name: '', interrupts: [] }] };
  }
};

type Engine = 'light' | 'langgraph' | 'both';
const MAX_LEGS = 12;

/** Executes a plan's graph leg by leg, as runners do that die, give way and get answers. */
async function trace(plan: Plan, engine: Engine): Promise<string> {
  const events: Trace = [];
  const saver = new RecordingSaver(events);
  const graph = new PlannedGraph(plan, events);
  for (let leg = 0; leg < MAX_LEGS; leg++) {
    const stored = await saver.getTuple({ configurable: { thread_id: 'run' } });
    const isLight = engine === 'light' || (engine === 'both' && leg % 2 === 0);
    const executor: GraphExecutor = isLight
      ? graphExecutor(graph.build(), saver, 'run', stored)
      : langGraphExecutor(graph.build(), saver, 'run');
    if (isLight) expect(executor).toBeInstanceOf(LightExecutor);
    const open = stored ? (await stateOf(executor)).tasks.flatMap(({ interrupts }) => interrupts) : [];
    const mask = plan.answers[leg % plan.answers.length]!;
    const answers = Object.fromEntries(
      open
        .filter((_, index) => (mask >> (index % 3)) & 1)
        .map(({ id }, index) => [id, `answer ${String(index)}`]),
    );
    events.push({ leg, open, answers });
    const control = new RunControl();
    let calls = plan.drains[leg] ?? Number.POSITIVE_INFINITY;
    graph.onCall = () => {
      if (calls-- <= 0) control.requestDrain('give way');
    };
    graph.beginLeg();
    saver.callsLeft = plan.crashes[leg] ?? Number.POSITIVE_INFINITY;
    const yielded: unknown[] = [];
    let hasFailed = false;
    try {
      const input = stored ? { answers } : { first: { words: ['start'] } };
      const { signal } = new AbortController();
      for await (const values of executor.stream(input, { signal, control })) yielded.push(values);
    } catch (error) {
      hasFailed = true;
      const { name, message, errors } = error as AggregateError;
      // LangGraph finds updates that exclude each other at an interrupt, too; here the state shows them.
      if (name !== 'InvalidUpdateError')
        events.push({ name, message: message.split('.')[0], errors: errors?.map(String) });
    }
    saver.callsLeft = Number.POSITIVE_INFINITY;
    const isStored = (await saver.getTuple({ configurable: { thread_id: 'run' } })) !== undefined;
    if (!isStored) continue;
    // A runner asks for the state after a leg; after a failed one, the next runner does.
    const { values, tasks } = await stateOf(
      hasFailed ? langGraphExecutor(graph.build(), saver, 'run') : executor,
    );
    events.push({ values, tasks: tasks.map(({ id, name, interrupts }) => ({ id, name, interrupts })) });
    if (tasks.length > 0) continue;
    // LangGraph also yields interrupts, and what a step would have written that was interrupted.
    events.push({ yielded });
    break;
  }
  // Where one waits for the saver, the other already decides: only the order of each kind is part of the contract.
  const kindOf = (event: object) => ['decides', 'node'].find((kind) => kind in event) ?? 'stored';
  const legOf = events.map((_, index) => events.slice(0, index + 1).filter((event) => 'leg' in event).length);
  const order = new Map(events.map((event, index) => [event, [legOf[index]!, kindOf(event)].join()]));
  return comparable(
    events.sort((a, b) => order.get(a)!.localeCompare(order.get(b)!, 'en', { numeric: true })),
  );
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const INTERRUPT_ID = /\b[0-9a-f]{32}\b/g;

/** Sorts the keys of objects, for `JSON.stringify`. */
const sorted = (_key: string, value: unknown) =>
  value instanceof Object && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

/** Returns a trace without times, and with IDs numbered in the order of their appearance. */
function comparable(events: Trace): string {
  const text = JSON.stringify(events).replaceAll(/"ts":"[^"]*"/g, '"ts":""');
  const numbers = new Map<string, string>();
  const numbered = (id: string) => {
    if (!numbers.has(id)) numbers.set(id, `id ${String(numbers.size)}`);
    return numbers.get(id)!;
  };
  const plain = text.replaceAll(UUID, numbered).replaceAll(INTERRUPT_ID, numbered);
  return JSON.stringify(JSON.parse(plain), sorted, 1);
}

describe('the light executor', () => {
  const runs = { numRuns: atDepth({ quick: 60, full: 5_000 }) };

  it('stores, calls, yields and reports the same as LangGraph', async () => {
    await fc.assert(
      fc.asyncProperty(plans, async (plan) => {
        expect(await trace(plan, 'light')).toBe(await trace(plan, 'langgraph'));
      }),
      runs,
    );
  }, 900_000);

  it('continues what LangGraph began, and the other way round', async () => {
    await fc.assert(
      fc.asyncProperty(plans, async (plan) => {
        expect(await trace(plan, 'both')).toBe(await trace(plan, 'langgraph'));
      }),
      runs,
    );
  }, 900_000);

  const begin = (graph: unknown, events: Trace, signal = new AbortController().signal) => {
    const executor = graphExecutor(graph as AnyGraph, new RecordingSaver(events), 'run', undefined);
    return {
      executor,
      steps: executor.stream({ first: { words: [] } }, { signal, control: new RunControl() }),
    };
  };
  const drain = async (steps: AsyncIterable<unknown>) => {
    for await (const _values of steps);
  };

  it('stores nothing after an abort, and does not wait for the node', async () => {
    const events: Trace = [];
    const controller = new AbortController();
    let answer: (update: object) => void;
    const late = new Promise<object>((resolve) => (answer = resolve));
    const hangs = () => {
      controller.abort(new Error('lost'));
      return late;
    };
    const graph = new StateGraph(State).addNode('hangs', hangs).addEdge(START, 'hangs').addEdge('hangs', END);
    await expect(drain(begin(graph, events, controller.signal).steps)).rejects.toThrow('Aborted');
    const before = events.length;
    answer!({ words: ['late'] });
    await new Promise(setImmediate);
    expect(events).toHaveLength(before);
  });

  it('aborts the other nodes of a step when one fails, and reports its error', async () => {
    const seen: AbortSignal[] = [];
    const hangs = (_state: Values, { signal }: RunnableConfig) => {
      seen.push(signal!);
      return new Promise<object>(() => undefined);
    };
    const graph = new StateGraph(State)
      .addNode('fails', () => Promise.reject(new Error('broken')))
      .addNode('hangs', hangs)
      .addEdge(START, 'fails')
      .addEdge(START, 'hangs')
      .addEdge('fails', END)
      .addEdge('hangs', END);
    await expect(drain(begin(graph, []).steps)).rejects.toThrow('broken');
    expect(seen.map(({ aborted }) => aborted)).toEqual([true]);
  });

  it('stores nothing of a node whose conditional edge fails', async () => {
    const events: Trace = [];
    const graph = new StateGraph(State)
      .addNode('a', () => ({ words: ['a'] }))
      .addEdge(START, 'a')
      .addConditionalEdges('a', () => {
        throw new Error('no way');
      });
    await expect(drain(begin(graph, events).steps)).rejects.toThrow('no way');
    expect(JSON.stringify(events.at(-1))).not.toContain('words');
  });

  it.each([
    [
      'a retry policy',
      (graph: StateGraph<typeof State>) => graph.addNode('a', () => ({}), { retryPolicy: {} }),
    ],
    ['a deferred node', (graph: StateGraph<typeof State>) => graph.addNode('a', () => ({}), { defer: true })],
    [
      'targets of commands',
      (graph: StateGraph<typeof State>) => graph.addNode('a', () => ({}), { ends: [END] }),
    ],
    [
      'a subgraph',
      (graph: StateGraph<typeof State>) =>
        graph.addNode(
          'a',
          new StateGraph(State)
            .addNode('b', () => ({}))
            .addEdge(START, 'b')
            .compile(),
        ),
    ],
  ])('leaves a graph with %s to LangGraph', async (_name, add) => {
    const graph = add(new StateGraph(State) as never) as unknown as StateGraph<
      typeof State,
      Values,
      object,
      'a'
    >;
    graph.addEdge(START, 'a');
    const { executor, steps } = begin(graph, []);
    expect(executor).not.toBeInstanceOf(LightExecutor);
    await drain(steps);
    expect((await executor.getState()).tasks).toEqual([]);
  });
});
