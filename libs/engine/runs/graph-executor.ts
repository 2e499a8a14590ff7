import { Command, END, START, type BaseChannel } from '@langchain/langgraph';
import { RunnableLambda } from '@langchain/core/runnables';
import type { BaseCheckpointSaver, CheckpointTuple } from '@langchain/langgraph-checkpoint';
import type { AnyGraph } from '../kind.js';
import type { Body, Channels, GraphExecutor, Saver, Step } from './channel-state.js';
import { LightExecutor } from './light-executor.js';

/**
 * Returns the executor of a graph: our own if the graph and its state use only state channels, edges, conditional
 * edges, `Send` and `interrupt`; else LangGraph. A thread can change between the two at every write.
 *
 * @param stored the newest checkpoint of the thread
 */
export function graphExecutor(
  graph: AnyGraph,
  saver: Saver,
  thread: string,
  stored: CheckpointTuple | undefined,
): GraphExecutor {
  const steps = stepsOf(graph);
  if (!steps || (stored && !isKnownState(graph, stored))) return langGraphExecutor(graph, saver, thread);
  return new LightExecutor(steps, graph.channels as Channels, saver, thread, stored);
}

/** LangGraph counts this limit per leg; the run's own step cap is in its state (D25). */
const RECURSION_LIMIT = 1_000_000;

export function langGraphExecutor(graph: AnyGraph, saver: Saver, thread: string): GraphExecutor {
  // LangGraph types its savers by numeric versions; string versions work too (PostgresSaver uses them).
  const compiled = graph.compile({ checkpointer: saver as unknown as BaseCheckpointSaver });
  const config = { configurable: { thread_id: thread } };
  const fixed = { durability: 'sync', recursionLimit: RECURSION_LIMIT, streamMode: 'values' } as const;
  return {
    getState: () => compiled.getState(config),
    async *stream({ first, answers = {} }, options) {
      const resume = Object.keys(answers).length === 0 ? null : new Command({ resume: answers });
      yield* await compiled.stream(first ?? resume, { ...config, ...options, ...fixed });
    },
  };
}

/** Task ID of what LangGraph writes for a `Command` that names no interrupts. */
const NULL_TASK = '00000000-0000-0000-0000-000000000000';

function stepsOf(graph: AnyGraph): Map<string, Step> | null {
  const schema = graph._schemaDefinition;
  const isPlain =
    graph._inputDefinition === schema &&
    graph._outputDefinition === schema &&
    graph._schemaRuntimeDefinition === undefined &&
    typeof graph._inputRuntimeDefinition !== 'object' &&
    graph._configRuntimeSchema === undefined &&
    graph._interrupt === undefined &&
    Object.keys(graph._nodeDefaults).length === 0 &&
    graph.waitingEdges.size === 0 &&
    // LangGraph makes a lambda of the function of conditional edges.
    Object.values(graph.branches).every((of) =>
      Object.values(of).every(({ path }) => path instanceof RunnableLambda),
    ) &&
    Object.entries(graph.channels as Channels).every(
      ([name, { lc_graph_name: type }]) =>
        name !== '__root__' && (type === 'LastValue' || type === 'BinaryOperatorAggregate'),
    );
  if (!isPlain) return null;
  const steps = new Map<string, Step>([[START, stepOf(graph, START, undefined)]]);
  for (const [name, { runnable, input, ...others }] of Object.entries(graph.nodes)) {
    const { func, trace } = runnable as unknown as { func?: Body; trace?: boolean };
    // LangGraph makes such a runnable of a node's function; everything else is a runnable of the graph's author.
    const isFunction = typeof func === 'function' && trace === false;
    if (!isFunction || input !== schema || Object.values(others).some((option) => option !== undefined))
      return null;
    steps.set(name, stepOf(graph, name, func));
  }
  return steps;
}

function stepOf(graph: AnyGraph, name: string, body: Body | undefined): Step {
  const edges = [...(graph.edges as Set<[string, string]>)].filter(
    ([from, to]) => from === name && to !== END,
  );
  const branches = Object.values(graph.branches[name] ?? {}).map(({ path, ends }) => ({
    decide: (path as unknown as { func: Body }).func,
    ends,
  }));
  return { body, edges: edges.map(([, to]) => to), branches };
}

/** Returns whether a state was written by steps of such a graph alone. */
function isKnownState({ channels }: AnyGraph, { checkpoint, pendingWrites }: CheckpointTuple): boolean {
  const { channel_values: values, channel_versions: versions } = checkpoint;
  // LangGraph rebuilds an aggregate without a value from the writes of earlier checkpoints.
  const isRebuilt = ([name, { lc_graph_name: type }]: [string, BaseChannel]) =>
    type === 'BinaryOperatorAggregate' && name in versions && !(name in values);
  return (
    !Object.entries(channels as Channels).some(isRebuilt) &&
    !pendingWrites?.some(([task, channel]) => task === NULL_TASK || channel === '__error_source_node__')
  );
}
