import type { RunnableConfig } from '@langchain/core/runnables';

/**
 * Names the step that a node runs in: the same when the step is repeated after a crash, another for every other step.
 * Effects carry it, so that doing them twice changes nothing (X4).
 */
export function stepKey(config: RunnableConfig): string {
  const namespace: unknown = config.metadata?.langgraph_checkpoint_ns ?? config.configurable?.checkpoint_ns;
  if (typeof namespace !== 'string' || namespace === '') throw new Error('a node ran outside a graph');
  return namespace;
}
