import type { RunnableConfig } from '@langchain/core/runnables';

/**
 * Returns the key of the step that a node runs in. It is the same when the step is repeated after a crash,
 * and unique to the step. Effects carry it, so that repeating them changes nothing (X4).
 */
export function stepKey(config: RunnableConfig): string {
  const namespace: unknown = config.metadata?.langgraph_checkpoint_ns ?? config.configurable?.checkpoint_ns;
  if (typeof namespace !== 'string' || namespace === '') throw new Error('a node ran outside a graph');
  return namespace;
}
