import {
  END,
  GraphDrained,
  interrupt,
  InvalidUpdateError,
  isCommand,
  isGraphInterrupt,
  Send,
  type Interrupt,
} from '@langchain/langgraph';
import type { RunnableConfig } from '@langchain/core/runnables';
import { AsyncLocalStorageProviderSingleton } from '@langchain/core/singletons';
import {
  ERROR,
  INTERRUPT,
  RESUME,
  TASKS,
  WRITES_IDX_MAP,
  type CheckpointTuple,
  type PendingWrite,
} from '@langchain/langgraph-checkpoint';
import type { GraphState } from '../kind.js';
import {
  ChannelState,
  inOrder,
  PUSH,
  startOf,
  type Channels,
  type GraphExecutor,
  type GraphInput,
  type Saver,
  type Step,
  type StepOptions,
  type Stopped,
  type Task,
} from './channel-state.js';

/** LangGraph's mark of a task that is done without a write. */
const NO_WRITES = '__no_writes__';
/** Writes that are no output of their task. */
const OF_CONTROL = new Set<string>([ERROR, INTERRUPT, RESUME]);

/** Settles like `work`, or rejects when the signal aborts; `work` continues then, but nobody awaits it. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(new Error('Aborted'));
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/**
 * Executes a graph with LangGraph's checkpoints, writes, task IDs and errors, without its stream, callbacks and runnables,
 * which cost a third of a runner's CPU ([ADR 23](../../../docs/adr/0023-cost-of-a-run.md)).
 */
export class LightExecutor implements GraphExecutor {
  private readonly state: ChannelState;
  /** Writes of tasks to the newest checkpoint, as the saver stores them. */
  private pending: [task: string, channel: string, value: unknown][];
  private tasks: Task[];
  private answers: Record<string, unknown> = {};
  /** Writes to the saver since the last step; checkpoints are written one after the other. */
  private writing: Promise<unknown>[] = [];
  private lastPut: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly steps: ReadonlyMap<string, Step>,
    specs: Channels,
    private readonly saver: Saver,
    private readonly thread: string,
    private readonly stored: CheckpointTuple | undefined,
  ) {
    const nextVersion = (current: unknown) => saver.getNextVersion(current as string | undefined);
    this.state = new ChannelState(steps, specs, nextVersion, stored);
    this.pending = [...(stored?.pendingWrites ?? [])] as [string, string, unknown][];
    this.tasks = this.state.nextTasks();
  }

  getState(): Stopped {
    const order = [...this.steps.keys()];
    const isSend = ({ triggers }: Task) => triggers[0] === PUSH;
    const sends = this.tasks.filter(isSend);
    const nodes = this.tasks
      .filter((task) => !isSend(task))
      .sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
    const done = inOrder(this.tasks).flatMap((task) => this.pending.filter(([id]) => id === task.id));
    return {
      values: this.state.values(done.map(([, channel, value]) => [channel, value])),
      config: this.address(this.state.id),
      tasks: [...sends, ...nodes].map(({ id, name }) => ({
        id,
        name,
        interrupts: this.pendingOf(id, INTERRUPT).flat() as Interrupt[],
      })),
    };
  }

  async *stream(input: GraphInput, { signal, control }: StepOptions): AsyncGenerator<GraphState> {
    try {
      if (this.stored) yield this.continue(input.answers ?? {});
      else this.begin(input.first);
      while (this.tasks.length > 0) {
        const open = this.tasks.filter(({ writes }) => writes.length === 0);
        if (open.length > 0) {
          if (control.drainRequested) throw new GraphDrained(control.drainReason ?? 'shutdown');
          if (await this.execute(open, signal)) break;
        }
        const hasOutput = this.tasks.some(({ writes }) =>
          writes.some(([name]) => this.state.keys.includes(name)),
        );
        this.state.apply(this.tasks);
        this.put('loop');
        await untilAborted(this.written(), signal);
        if (hasOutput) yield this.state.values();
      }
      await untilAborted(this.written(), signal);
    } catch (error) {
      if (!signal.aborted) await this.written().catch(() => undefined);
      throw error;
    }
  }

  private async written(): Promise<void> {
    await Promise.all(this.writing);
    this.writing = [];
  }

  private begin(input: GraphState | undefined): void {
    if (!input) throw new Error('the graph has neither a state nor an input');
    this.state.begin(input);
    this.put('input');
  }

  /** Applies the answers and the writes of tasks that are done. Returns the stored values. */
  private continue(answers: Record<string, unknown>): GraphState {
    this.answers = answers;
    for (const [id, answer] of Object.entries(answers))
      this.putWrites(id, '', [[RESUME, [...this.pendingOf(id, RESUME).slice(0, 1), answer]]]);
    this.state.resume();
    for (const [id, channel, value] of this.pending)
      if (!OF_CONTROL.has(channel)) this.tasks.find((task) => task.id === id)?.writes.push([channel, value]);
    return this.state.values();
  }

  /** Executes the tasks of a step at once. Returns whether one was interrupted, when all have stopped. */
  private async execute(tasks: Task[], signal: AbortSignal): Promise<boolean> {
    // Of the step: what a node's requests add to it must not remain for the rest of the leg.
    const ofStep = new AbortController();
    const abort = () => ofStep.abort(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    const errors: unknown[] = [];
    let isInterrupted = false;
    const settle = async (task: Task) => {
      const answers: PendingWrite[] = [];
      const end = (writes: PendingWrite[]) => {
        if (!signal.aborted) this.putWrites(task.id, task.path, [...writes, ...answers]);
      };
      try {
        const output = await untilAborted(this.run(task, answers, ofStep.signal), ofStep.signal);
        task.writes = output.length + answers.length > 0 ? [...answers, ...output] : [[NO_WRITES, null]];
        if (!signal.aborted) this.putWrites(task.id, task.path, task.writes);
      } catch (error) {
        if (isGraphInterrupt(error)) {
          isInterrupted = true;
          return end([[INTERRUPT, error.interrupts]]);
        }
        if (errors.length === 0 || !ofStep.signal.aborted) errors.push(error);
        // Tasks that fail in the same turn are all reported; those that still run are aborted.
        setImmediate(() => ofStep.abort());
        const { message, name } = error as Error;
        end([[ERROR, { message, name }]]);
      }
    };
    await Promise.all(tasks.map(settle));
    signal.removeEventListener('abort', abort);
    if (errors.length === 1) throw errors[0];
    if (errors.length > 1) throw new AggregateError(errors, 'Several tasks of a step failed');
    return isInterrupted;
  }

  /**
   * Runs a node and its edges. Returns their writes, all or none: LangGraph stores the update of a node whose conditional
   * edge fails, and then takes the task for done.
   *
   * @param answers receives what `interrupt` returned
   */
  private run(task: Task, answers: PendingWrite[], signal: AbortSignal): Promise<PendingWrite[]> {
    const { body, edges, branches } = this.steps.get(task.name)!;
    const config = this.configOf(task, answers, signal);
    return AsyncLocalStorageProviderSingleton.runWithConfig(config, async () => {
      const update = this.updatesOf(task.name, body ? await body(task.input, config) : task.input);
      const writes = [...update, ...edges.map((to): PendingWrite => [startOf(to), null])];
      for (const { decide, ends } of branches) {
        const chosen = [await decide(this.state.values(update), config)].flat();
        const targets = chosen.map((to) => (ends && !(to instanceof Send) ? ends[to as string] : to));
        if (targets.some((to) => !to))
          throw new Error('Branch condition returned unknown or null destination');
        writes.push(...targets.filter((to) => to !== END).map((to) => this.edgeTo(task.name, to)));
      }
      return writes;
    }) as Promise<PendingWrite[]>;
  }

  private edgeTo(from: string, to: unknown): PendingWrite {
    if (!(to instanceof Send)) return [startOf(to as string), from];
    if (!this.steps.has(to.node))
      throw new InvalidUpdateError(`Invalid node name "${to.node}" in Send packet`);
    return [TASKS, to];
  }

  private updatesOf(node: string, update: unknown): PendingWrite[] {
    if (!update) return [];
    if (typeof update !== 'object' || Array.isArray(update) || isCommand(update) || update instanceof Send)
      throw new InvalidUpdateError(`Expected node "${node}" to return an object`);
    return Object.entries(update).filter(([key]) => this.state.keys.includes(key));
  }

  /** The parts of LangGraph's configuration that nodes, `interrupt` and graphs within nodes read. */
  private configOf(task: Task, sent: PendingWrite[], signal: AbortSignal): RunnableConfig {
    const { id, name, input, metadata } = task;
    const ns = `${name}:${id}`;
    const answers = this.pendingOf(id, RESUME).flat();
    const asked = (this.pendingOf(id, INTERRUPT).flat() as Interrupt[])[0]?.id;
    if (asked !== undefined && asked in this.answers) answers.push(this.answers[asked]);
    const configurable = {
      thread_id: this.thread,
      checkpoint_ns: ns,
      checkpoint_map: { '': this.state.id },
      __pregel_task_id: id,
      __pregel_checkpointer: this.saver,
      __pregel_send: (more: PendingWrite[]) => void sent.push(...more),
      __pregel_read: (select: string | string[]) =>
        Array.isArray(select) ? this.state.values() : this.state.values()[select],
      __pregel_scratchpad: {
        callCounter: 0,
        interruptCounter: -1,
        subgraphCounter: 0,
        resume: answers,
        currentTaskInput: input,
        consumeNullResume: () => undefined,
      },
    };
    const writer = () => undefined;
    return { configurable, metadata, tags: [], runName: name, signal, writer, interrupt } as RunnableConfig;
  }

  /** Stores the checkpoint after a step, and prepares its tasks. */
  private put(source: 'input' | 'loop'): void {
    const { parent, checkpoint, metadata, changed } = this.state.nextCheckpoint(source);
    const versions = changed as Record<string, string>;
    const put = () => this.saver.put(this.address(parent), checkpoint, metadata, versions);
    this.lastPut = this.lastPut.then(put);
    this.track(this.lastPut);
    this.pending = [];
    this.tasks = this.state.nextTasks();
  }

  private putWrites(id: string, path: string, writes: PendingWrite[]): void {
    const isControl = writes.every(([channel]) => (channel as string) in WRITES_IDX_MAP);
    const stored = isControl ? [...new Map(writes.map((write) => [write[0], write])).values()] : [...writes];
    // As in the saver, the question of a task that is done now remains.
    this.pending = this.pending.filter(
      ([task, name]) =>
        task !== id || (name === INTERRUPT && !stored.some(([channel]) => channel === INTERRUPT)),
    );
    for (const [channel, value] of stored) this.pending.push([id, channel as string, value]);
    this.track(this.saver.putWrites(this.address(this.state.id), stored, id, path));
  }

  private track(write: Promise<unknown>): void {
    // `written` reports the error.
    write.catch(() => undefined);
    this.writing.push(write);
  }

  private pendingOf(task: string, channel: string): unknown[] {
    return this.pending.filter(([id, name]) => id === task && name === channel).map(([, , value]) => value);
  }

  private address(id: string | undefined): RunnableConfig {
    return { configurable: { thread_id: this.thread, checkpoint_ns: '', checkpoint_id: id } };
  }
}
