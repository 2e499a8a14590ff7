import { INTERRUPT, RESUME, TASKS, type Checkpoint } from '@langchain/langgraph-checkpoint';

/** What the channels that lead to a node begin with. */
const TO_NODE = 'branch:to:';

/** What the channels begin with on which a node waits for several others. */
const JOIN = 'join:';

/** Whether nothing comes after a checkpoint: the statement that ends the run can bring it along. */
export function isEnd(values: Checkpoint['channel_values']): boolean {
  const sends = values[TASKS];
  if (Array.isArray(sends) && sends.length > 0) return false;
  return !Object.keys(values).some((channel) => channel.startsWith(TO_NODE) || channel.startsWith(JOIN));
}

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

/**
 * Marks that a question or its answer leaves. The statement that parks the run brings those of a question along, with its task; an answer is read
 * from its task again by whoever goes on.
 */
export const isOfPause = (channel: string) => channel === INTERRUPT || channel === RESUME;
