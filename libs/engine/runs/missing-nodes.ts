import { phrase } from '#contracts/phrases/phrase.js';
import type { Checkpoint, CheckpointTuple } from '@langchain/langgraph-checkpoint';
import { UnsupportedRunError } from '../kind.js';

/** Prefix of LangGraph's channels that start a node, and the channel that contains its `Send`s. */
const BRANCH = 'branch:to:';
const SENDS = '__pregel_tasks';

/**
 * Rejects a run whose next node the graph does not have (any more, or yet). LangGraph skips such a node
 * without an error, and the run would seem to have ended.
 *
 * @throws UnsupportedRunError `graph_node_missing` with the node's name
 */
export function requireNodes(
  stored: CheckpointTuple | undefined,
  graph: { nodes: object },
  version: string,
): void {
  const [node] = stored ? missingNodes(stored.checkpoint, Object.keys(graph.nodes)) : [];
  if (node === undefined) return;
  throw new UnsupportedRunError(
    'graph_node_missing',
    phrase('run_error.graph_node_missing', { node, version }),
    node,
  );
}

/** Returns the nodes that a stored state continues with and that are not in `nodes`. */
function missingNodes(checkpoint: Checkpoint, nodes: readonly string[]): string[] {
  const values = checkpoint.channel_values;
  const branches = Object.keys(values)
    .filter((channel) => channel.startsWith(BRANCH))
    .map((channel) => channel.slice(BRANCH.length));
  const sends = ((values[SENDS] ?? []) as { node: string }[]).map(({ node }) => node);
  return [...new Set([...branches, ...sends])].filter((node) => !nodes.includes(node));
}
