import { INTERRUPT, RESUME, TASKS, type Checkpoint } from '@langchain/langgraph-checkpoint';

/** Prefix of the channels that lead to a node. */
const TO_NODE = 'branch:to:';

/** Prefix of the channels on which a node waits for several others. */
const JOIN = 'join:';

/**
 * Returns whether a checkpoint is the last in its graph: the statement that ends the run can include it.
 */
export function isEnd(values: Checkpoint['channel_values']): boolean {
  const sends = values[TASKS];
  if (Array.isArray(sends) && sends.length > 0) return false;
  return !Object.keys(values).some((channel) => channel.startsWith(TO_NODE) || channel.startsWith(JOIN));
}

/**
 * Returns whether only reading nodes follow a checkpoint: they can run again from the previous checkpoint
 * without side effects.
 *
 * @param reading names of the nodes that only read
 */
export function isBeforeReading(values: Checkpoint['channel_values'], reading: ReadonlySet<string>): boolean {
  const sends = values[TASKS];
  if (reading.size === 0 || (Array.isArray(sends) && sends.length > 0)) return false;
  const next = Object.keys(values).filter((channel) => channel.startsWith(TO_NODE));
  return next.length > 0 && next.every((channel) => reading.has(channel.slice(TO_NODE.length)));
}

/**
 * Returns whether a channel's mark comes from an interrupt or its resume. The statement that parks the run
 * writes the marks of an interrupt with its task; the resume value can be read from the task again.
 */
export const isOfPause = (channel: string) => channel === INTERRUPT || channel === RESUME;
