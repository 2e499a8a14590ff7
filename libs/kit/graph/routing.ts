import {
  END,
  StateGraph,
  type AnnotationRoot,
  type START,
  type StateDefinition,
  type StateType,
  type UpdateType,
} from '@langchain/langgraph';
import type { NodeFunction } from './node.js';

/** A row of a routing table: the node that follows `from` if its condition holds. */
export interface Row<Node extends string, State> {
  from: Node;
  to: Node | typeof END;
  when: string;
  holds(state: State): boolean;
}

/** Returns the target of the node's first row whose condition holds, or END if there is none. */
export function nextByTable<Node extends string, State>(
  table: readonly Row<Node, State>[],
  from: Node,
  state: State,
): Node | typeof END {
  return table.find((row) => row.from === from && row.holds(state))?.to ?? END;
}

/**
 * Builds a graph whose edges come from a routing table. It is not compiled, and the caller adds the entry
 * edge.
 *
 * @param names names of the nodes, in their order
 */
export function graphByTable<Definition extends StateDefinition, Node extends string>(
  annotation: AnnotationRoot<Definition>,
  names: readonly Node[],
  nodes: Record<Node, NodeFunction<StateType<Definition>, UpdateType<Definition>>>,
  table: readonly Row<Node, StateType<Definition>>[],
) {
  // LangGraph types add node names one by one; here all are known in advance.
  const graph = new StateGraph(annotation as AnnotationRoot<StateDefinition>) as unknown as StateGraph<
    Definition,
    StateType<Definition>,
    UpdateType<Definition>,
    Node | typeof START
  >;
  for (const name of names) graph.addNode(name, nodes[name] as never);
  for (const name of names) {
    const targets = [...new Set(table.filter(({ from }) => from === name).map(({ to }) => to))];
    const decide = (state: StateType<Definition>) => nextByTable(table, name, state);
    graph.addConditionalEdges(name, decide as never, targets as never);
  }
  return graph;
}
