import { beginSpan, currentTraceparent, failSpan, isTracing, within } from '#telemetry/tracing.js';
import { isGraphInterrupt } from '@langchain/langgraph';
import type { AnyGraph } from './kind.js';

/** The trace context of the node that asked for a task, by the id of its interrupt. */
export type AskingNodes = Map<string, string>;

interface Invocable {
  invoke(input: unknown, config?: unknown): Promise<unknown>;
}

/**
 * Makes a span of each node of a graph that was built for one leg and is about to be compiled, and notes which node asked
 * for which task. Does nothing while nothing is traced.
 */
export function traceNodes(graph: AnyGraph): AskingNodes {
  const asking: AskingNodes = new Map();
  if (!isTracing()) return asking;
  for (const [name, { runnable }] of Object.entries(graph.nodes as Record<string, { runnable: Invocable }>)) {
    const invoke = runnable.invoke.bind(runnable);
    runnable.invoke = async (input, config) => {
      const { span, context } = beginSpan(`node ${name}`, { attributes: { 'scriptorium.node': name } });
      try {
        return await within(context, () => invoke(input, config));
      } catch (error) {
        if (!isGraphInterrupt(error)) failSpan(span, error);
        else
          for (const { id } of error.interrupts)
            if (id) note(asking, id, within(context, currentTraceparent));
        throw error;
      } finally {
        span.end();
      }
    };
  }
  return asking;
}

function note(asking: AskingNodes, interruptId: string, traceparent: string | null): void {
  if (traceparent !== null) asking.set(interruptId, traceparent);
}
