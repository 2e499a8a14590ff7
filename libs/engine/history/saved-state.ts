import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import type { ChannelBlob, SavedCheckpoint } from '#db/repositories/graph-checkpoints.js';
import type { GraphState, KindFacts } from '../kind.js';

/** LangGraph's channel that contains the input until the first step has consumed it. */
const INPUT_CHANNEL = '__start__';
/** LangGraph's channel of pending `Send`s. */
const SENDS_CHANNEL = '__pregel_tasks';
const BRANCH = 'branch:to:';
/** The channels that `nextNodes` and `valuesOf` read. */
export const CONTROL_CHANNELS = [INPUT_CHANNEL, SENDS_CHANNEL];

/**
 * Parses a blob as plain JSON: LangChain objects stay in their serialized form. Returns undefined for other
 * types.
 */
export function jsonOf({ type, value }: ChannelBlob): unknown {
  return type === 'json' && value !== null ? JSON.parse(Buffer.from(value).toString('utf8')) : undefined;
}

/** Returns the values of the named channels of a checkpoint as plain JSON, by channel name. */
export function valuesOf({ head, blobs }: SavedCheckpoint, names: string[]): Record<string, unknown> {
  const pick = (channels: string[]) => ({
    ...Object.fromEntries(
      Object.entries(head.channel_values ?? {}).filter(([channel]) => channels.includes(channel)),
    ),
    ...Object.fromEntries(
      blobs.filter(({ channel }) => channels.includes(channel)).map((blob) => [blob.channel, jsonOf(blob)]),
    ),
  });
  // Before the first step, the whole input is one value.
  return { ...(pick([INPUT_CHANNEL])[INPUT_CHANNEL] as object | undefined), ...pick(names) };
}

/**
 * Returns a checkpoint's state, limited to the keys that are needed to continue from it.
 *
 * @throws ProblemError `checkpoint_unusable` if it lacks a key or waits at a node that the graph no longer
 *   has
 */
export function savedStateOf(
  checkpoint: SavedCheckpoint,
  { nodes, continuation: { state } }: KindFacts,
): GraphState {
  const missingNode = nextNodes(checkpoint).find((node) => node !== INPUT_CHANNEL && !nodes.includes(node));
  if (missingNode !== undefined)
    throw new ProblemError(
      'checkpoint_unusable',
      phrase('checkpoint_unusable.node_gone', { node: missingNode }),
    );
  const parsed = state.safeParse(valuesOf(checkpoint, Object.keys(state.shape)));
  if (parsed.success) return parsed.data as GraphState;
  const keys = parsed.error.issues.map(({ path }) => String(path[0]));
  throw new ProblemError(
    'checkpoint_unusable',
    phrase('checkpoint_unusable.keys_missing', { keys: [...new Set(keys)].join(', ') }),
  );
}

/** Returns the nodes that LangGraph would run next from a checkpoint; empty if its graph has ended. */
export function nextNodes({ head, blobs }: SavedCheckpoint): string[] {
  const isNew = (node: string, channel: string) => {
    const seen = head.versions_seen[node]?.[channel];
    return seen === undefined || head.channel_versions[channel]! > seen;
  };
  const sends = blobs.filter(({ channel }) => channel === SENDS_CHANNEL).map(jsonOf) as { node: string }[][];
  const filled = [...Object.keys(head.channel_values ?? {}), ...blobs.map(({ channel }) => channel)];
  const branches = filled
    .filter((channel) => channel.startsWith(BRANCH))
    .map((channel) => ({ channel, node: channel.slice(BRANCH.length) }));
  const inputs = filled.filter((channel) => channel === INPUT_CHANNEL);
  const due = [...branches, ...inputs.map((channel) => ({ channel, node: channel }))].filter(
    ({ channel, node }) => isNew(node, channel),
  );
  return [...new Set([...sends.flat(), ...due].map(({ node }) => node))].sort();
}
