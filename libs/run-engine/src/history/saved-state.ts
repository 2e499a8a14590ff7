import { ProblemError } from '#contracts/errors.js';
import type { ChannelBlob, SavedCheckpoint } from '#db/repositories/graph-checkpoints.js';
import type { GraphState, KindFacts } from '../kind.js';

/** LangGraph's channel that holds the input until the first step has taken it. */
const INPUT_CHANNEL = '__start__';
/** LangGraph's channel of nodes that were sent to. */
const SENDS_CHANNEL = '__pregel_tasks';
const BRANCH = 'branch:to:';
/** The channels from which `nextNodes` and `inputOf` read. */
export const CONTROL_CHANNELS = [INPUT_CHANNEL, SENDS_CHANNEL];

/** A blob as plain JSON: LangChain's objects stay in their serialized form. */
export function jsonOf({ type, value }: ChannelBlob): unknown {
  return type === 'json' && value !== null ? JSON.parse(Buffer.from(value).toString('utf8')) : undefined;
}

/** The values of a checkpoint's channels as plain JSON by name, restricted to the names given. */
export function valuesOf({ head, blobs }: SavedCheckpoint, names: string[]): Record<string, unknown> {
  const pick = (wanted: string[]) => ({
    ...Object.fromEntries(
      Object.entries(head.channel_values ?? {}).filter(([channel]) => wanted.includes(channel)),
    ),
    ...Object.fromEntries(
      blobs.filter(({ channel }) => wanted.includes(channel)).map((blob) => [blob.channel, jsonOf(blob)]),
    ),
  });
  // Before the first step the input is one value.
  return { ...(pick([INPUT_CHANNEL])[INPUT_CHANNEL] as object | undefined), ...pick(names) };
}

/**
 * The state of a checkpoint, as far as it is needed to go on from it elsewhere.
 *
 * @throws ProblemError `checkpoint_unusable` when it lacks a key or waits at a node that the graph does not have any more
 */
export function savedStateOf(
  checkpoint: SavedCheckpoint,
  { nodes, continuation: { state } }: KindFacts,
): GraphState {
  const gone = nextNodes(checkpoint).find((node) => node !== INPUT_CHANNEL && !nodes.includes(node));
  if (gone !== undefined)
    throw new ProblemError(
      'checkpoint_unusable',
      `It was written by an older version of the graph and waits at "${gone}", which is no more. Take another checkpoint.`,
    );
  const parsed = state.safeParse(valuesOf(checkpoint, Object.keys(state.shape)));
  if (parsed.success) return parsed.data as GraphState;
  const keys = parsed.error.issues.map(({ path }) => String(path[0]));
  throw new ProblemError(
    'checkpoint_unusable',
    `It was written by an older version of the graph and lacks ${[...new Set(keys)].join(', ')}. Take another checkpoint.`,
  );
}

/** The nodes that LangGraph would run next from a checkpoint; none when its graph has ended. */
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
