import {
  InvalidUpdateError,
  START,
  type BaseChannel,
  type Interrupt,
  type RunControl,
  type Send,
} from '@langchain/langgraph';
import { EphemeralValue, Topic } from '@langchain/langgraph/channels';
import type { RunnableConfig } from '@langchain/core/runnables';
import {
  compareWritesSortKeys,
  copyCheckpoint,
  emptyCheckpoint,
  INTERRUPT,
  maxChannelVersion,
  TASKS,
  uuid6,
  writesSortKey,
  type BaseCheckpointSaver,
  type Checkpoint,
  type CheckpointMetadata,
  type CheckpointTuple,
  type PendingWrite,
} from '@langchain/langgraph-checkpoint';
import { createHash } from 'node:crypto';
import type { GraphState } from '../kind.js';

/** State of a stopped graph: its values and the tasks that are not done. */
export interface Stopped {
  values: GraphState;
  config: RunnableConfig;
  tasks: { id: string; name: string; interrupts: Interrupt[] }[];
}

/** Input of a graph: its first state, the answers by interrupt ID, or neither to continue. */
export interface GraphInput {
  first?: GraphState;
  answers?: Record<string, unknown>;
}

/** How a leg of a graph is stopped: at once by the signal, between steps by the control. */
export interface StepOptions {
  signal: AbortSignal;
  control: RunControl;
}

/** Executes a graph from its stored state. */
export interface GraphExecutor {
  getState(): Promise<Stopped> | Stopped;
  /** Yields the values after each step. Ends when the graph ends or waits; then everything is written. */
  stream(input: GraphInput, options: StepOptions): AsyncIterable<GraphState>;
}

/** Where the checkpoints of a graph are stored; versions are strings. */
export type Saver = BaseCheckpointSaver<string>;

/** LangGraph's names of task types and special channels. */
const PULL = '__pregel_pull';
export const PUSH = '__pregel_push';
const INPUT = '__input__';

/** Returns the channel that starts a node. */
export const startOf = (node: string) => (node === START ? START : `branch:to:${node}`);

type Version = string | number;
export type Body = (input: unknown, config: RunnableConfig) => unknown;

export type Channels = Record<string, BaseChannel>;

/** A node's function, and what follows it. */
export interface Step {
  /** Undefined for START, which only passes the input on. */
  body: Body | undefined;
  edges: string[];
  branches: { decide: Body; ends: Record<string, string> | undefined }[];
}

/** One execution of a node in a step. */
export interface Task {
  id: string;
  name: string;
  /** As stored with the task's writes; tasks are applied in its order. */
  path: string;
  input: unknown;
  metadata: Record<string, unknown>;
  triggers: string[];
  writes: PendingWrite[];
}

/** UUID version 5, as LangGraph derives task IDs, by the hash of Node. */
function uuid5(name: string, namespace: string): string {
  const hash = createHash('sha1')
    .update(Buffer.from(namespace.replaceAll('-', ''), 'hex'))
    .update(name)
    .digest();
  hash[6] = (hash[6]! & 0x0f) | 0x50;
  hash[8] = (hash[8]! & 0x3f) | 0x80;
  return hash.toString('hex', 0, 16).replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** What the saver gets of a checkpoint. */
interface NewCheckpoint {
  /** ID of the checkpoint before. */
  parent: string | undefined;
  checkpoint: Checkpoint;
  metadata: CheckpointMetadata;
  changed: Record<string, Version>;
}

/**
 * The channels of a graph, their versions, and the tasks that they start, in the form of LangGraph's checkpoints. The
 * channels themselves are LangGraph's.
 */
export class ChannelState {
  /** Names of the channels of the state. */
  readonly keys: string[];
  private readonly channels: Channels;
  private checkpoint: Checkpoint;
  private step: number;
  /** Channel versions of the last stored checkpoint. */
  private storedVersions: Record<string, Version>;
  /** Channels that the last step changed; null before the first step. */
  private updated: Set<string> | null = null;

  constructor(
    private readonly steps: ReadonlyMap<string, Step>,
    specs: Channels,
    private readonly nextVersion: (current: Version | undefined) => Version,
    stored: CheckpointTuple | undefined,
  ) {
    this.keys = Object.keys(specs);
    this.checkpoint = stored ? copyCheckpoint(stored.checkpoint) : emptyCheckpoint();
    this.step = stored ? (stored.metadata?.step ?? 0) + 1 : -1;
    this.storedVersions = { ...this.checkpoint.channel_versions };
    const all: Channels = {
      ...specs,
      [START]: new EphemeralValue(),
      [TASKS]: new Topic({ accumulate: false }),
    };
    for (const name of steps.keys()) if (name !== START) all[startOf(name)] = new EphemeralValue(false);
    const { channel_values: values } = this.checkpoint;
    this.channels = Object.fromEntries(
      Object.entries(all).map(([name, channel]) => [name, channel.fromCheckpoint(values[name])]),
    );
  }

  /** ID of the newest checkpoint. */
  get id(): string {
    return this.checkpoint.id;
  }

  /** Records, as LangGraph does, which versions an earlier interrupt has seen. */
  resume(): void {
    const { channel_versions: versions, versions_seen: seen } = this.checkpoint;
    const known = Object.entries(versions).filter(([name]) => name in this.channels);
    seen[INTERRUPT] = { ...seen[INTERRUPT], ...Object.fromEntries(known) };
  }

  /** Applies the input of a new graph. */
  begin(input: GraphState): void {
    this.apply([{ name: INPUT, path: '', triggers: [], writes: [[START, input]] }]);
  }

  /** Returns the values of the state, as a task with these writes sees them. */
  values(writes: PendingWrite[] = []): GraphState {
    const values: GraphState = {};
    for (const key of this.keys) {
      let channel = this.channels[key]!;
      const updates = writes.filter(([name]) => name === key).map(([, value]) => value);
      if (updates.length > 0) {
        channel = channel.fromCheckpoint(channel.isAvailable() ? channel.checkpoint() : undefined);
        channel.update(updates);
      }
      if (channel.isAvailable()) values[key] = channel.get();
    }
    return values;
  }

  /** Returns the tasks that the channels start: first those of `Send`, then the nodes. */
  nextTasks(): Task[] {
    const { channels, checkpoint, updated } = this;
    const sends = (channels[TASKS]!.isAvailable() ? channels[TASKS]!.get() : []) as Send[];
    const pushed = sends.flatMap(({ node, args }, index) =>
      this.steps.has(node) ? this.task(node, [PUSH, index, false], PUSH, String(index), args) : [],
    );
    const names = [...this.steps.keys()].filter((name) => !updated || updated.has(startOf(name)));
    const pulled = (updated ? names.sort() : names).flatMap((name) => {
      const trigger = startOf(name);
      const seen: Version = checkpoint.versions_seen[name]?.[trigger] ?? '';
      const isStarted =
        channels[trigger]!.isAvailable() && ((checkpoint.channel_versions[trigger] ?? '') as Version) > seen;
      if (!isStarted) return [];
      const input = name === START ? channels[START]!.get() : this.values();
      return this.task(name, [PULL, name], trigger, [trigger], input);
    });
    return [...pushed, ...pulled];
  }

  private task(
    name: string,
    path: (string | number | boolean)[],
    trigger: string,
    cause: string | string[],
    input: unknown,
  ): Task {
    const { step } = this;
    const id = uuid5(JSON.stringify([name, String(step), name, path[0], cause]), this.checkpoint.id);
    const ns = `${name}:${id}`;
    const metadata = {
      langgraph_step: step,
      langgraph_node: name,
      langgraph_triggers: [trigger],
      langgraph_path: path,
      langgraph_checkpoint_ns: ns,
      checkpoint_ns: ns,
    };
    const parts = path.map((part) =>
      typeof part === 'string' ? part : String(Number(part)).padStart(10, '0'),
    );
    return { id, name, path: `~${parts.join(', ')}`, input, metadata, triggers: [trigger], writes: [] };
  }

  /** Applies the writes of a step to the channels, and their versions to the checkpoint, as LangGraph does. */
  apply(tasks: Pick<Task, 'name' | 'path' | 'triggers' | 'writes'>[]): void {
    const { channels, checkpoint } = this;
    const { channel_versions: versions, versions_seen: seen } = checkpoint;
    const known = Object.values(versions) as Version[];
    const next = this.nextVersion(known.length === 0 ? undefined : maxChannelVersion(...(known as string[])));
    const updates = new Map<string, unknown[]>();
    for (const { name, triggers, writes } of inOrder(tasks)) {
      seen[name] ??= {};
      for (const trigger of triggers) if (trigger in versions) seen[name][trigger] = versions[trigger]!;
      for (const [channel, value] of writes) {
        if (!(channel in channels)) continue;
        const values = updates.get(channel);
        if (values) values.push(value);
        else updates.set(channel, [value]);
      }
    }
    this.updated = new Set();
    for (const [name, channel] of Object.entries(channels)) {
      const values = updates.get(name);
      // A channel of one step loses its value by an update without values; the input's step makes none.
      if (!values && (tasks[0]?.triggers.length === 0 || !channel.isAvailable())) continue;
      if (!updateOf(name, channel, values ?? [])) continue;
      versions[name] = next as string;
      if (channel.isAvailable()) this.updated.add(name);
    }
  }

  /** Returns the checkpoint after the applied writes; it is the newest one now. */
  nextCheckpoint(source: 'input' | 'loop'): NewCheckpoint {
    const { checkpoint: before, storedVersions, step } = this;
    const values: Record<string, unknown> = {};
    for (const [name, channel] of Object.entries(this.channels))
      if (channel.isAvailable() || name === TASKS) values[name] = channel.checkpoint();
    const versions = { ...before.channel_versions } as Record<string, Version>;
    const changed = Object.entries(versions).filter(([name, to]) => to > (storedVersions[name] ?? ''));
    this.checkpoint = {
      v: 4,
      id: uuid6(step),
      ts: new Date().toISOString(),
      channel_values: values,
      channel_versions: versions as Checkpoint['channel_versions'],
      versions_seen: before.versions_seen,
    };
    this.storedVersions = { ...versions };
    this.step += 1;
    return {
      parent: source === 'input' ? undefined : before.id,
      checkpoint: copyCheckpoint(this.checkpoint),
      metadata: { source, step, parents: {} },
      changed: Object.fromEntries(changed),
    };
  }
}

/** Returns tasks in the order in which LangGraph applies their writes. */
export const inOrder = <T extends { path: string }>(tasks: readonly T[]): T[] =>
  [...tasks].sort((a, b) => compareWritesSortKeys(writesSortKey(a.path), writesSortKey(b.path)));

/** @throws InvalidUpdateError with the name of the channel */
function updateOf(name: string, channel: BaseChannel, values: unknown[]): boolean {
  try {
    return channel.update(values);
  } catch (error) {
    if (!(error instanceof InvalidUpdateError)) throw error;
    const described = `Invalid update for channel "${name}" with values ${JSON.stringify(values)}: ${error.message}`;
    throw new InvalidUpdateError(described);
  }
}
