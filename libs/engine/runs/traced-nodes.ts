import { beginSpan, currentTraceparent, failSpan, isTracing, within } from '#telemetry/tracing.js';
import { isGraphInterrupt } from '@langchain/langgraph';
import type { AnyGraph } from '../kind.js';

/** Trace context of the node that requested a task, by interrupt ID. */
export type AskingNodes = Map<string, string>;

interface WithFunction {
  func(input: unknown, config: unknown): unknown;
}

/**
 * Wraps each node of a graph in a span, and records which node requested which task. Call it once per leg,
 * before the graph is compiled. No-op if tracing is off.
 */
export function traceNodes(graph: AnyGraph): AskingNodes {
  const asking: AskingNodes = new Map();
  if (!isTracing()) return asking;
  for (const [name, { runnable }] of Object.entries(
    graph.nodes as unknown as Record<string, { runnable: WithFunction }>,
  )) {
    const { func } = runnable;
    runnable.func = async (input, config) => {
      const { span, context } = beginSpan(`node ${name}`, { attributes: { 'scriptorium.node': name } });
      try {
        return await within(context, () => func(input, config));
      } catch (error) {
        if (!isGraphInterrupt(error)) failSpan(span, error);
        else
          for (const { id } of error.interrupts)
            if (id) rememberTraceparent(asking, id, within(context, currentTraceparent));
        throw error;
      } finally {
        span.end();
      }
    };
  }
  return asking;
}

function rememberTraceparent(asking: AskingNodes, interruptId: string, traceparent: string | null): void {
  if (traceparent !== null) asking.set(interruptId, traceparent);
}
