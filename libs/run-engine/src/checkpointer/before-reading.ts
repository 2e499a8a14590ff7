import { TASKS, type Checkpoint } from '@langchain/langgraph-checkpoint';

/** What the channels that lead to a node begin with. */
const TO_NODE = 'branch:to:';

/**
 * Whether all that comes after a checkpoint only reads: done again from the checkpoint before, it leaves nothing twice.
 *
 * @param reading names of the nodes that only read
 */
export function isBeforeReading(values: Checkpoint['channel_values'], reading: ReadonlySet<string>): boolean {
  const sends = values[TASKS];
  if (reading.size === 0 || (Array.isArray(sends) && sends.length > 0)) return false;
  const next = Object.keys(values).filter((channel) => channel.startsWith(TO_NODE));
  return next.length > 0 && next.every((channel) => reading.has(channel.slice(TO_NODE.length)));
}
