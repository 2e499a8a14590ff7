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

/** A row of a routing table: where a run goes on from a node when something holds. */
export interface Row<Node extends string, State> {
  from: Node;
  to: Node | typeof END;
  when: string;
  holds(state: State): boolean;
}

/** The first row of the node that holds decides; without one the run ends. */
export function nextByTable<Node extends string, State>(
  table: readonly Row<Node, State>[],
  from: Node,
  state: State,
): Node | typeof END {
  return table.find((row) => row.from === from && row.holds(state))?.to ?? END;
}

/**
 * A graph of nodes with the edges that a table gives to each, not yet compiled; where it begins is the caller's.
 *
 * @param names of the nodes, in their order
 */
export function graphByTable<Definition extends StateDefinition, Node extends string>(
  annotation: AnnotationRoot<Definition>,
  names: readonly Node[],
  nodes: Record<Node, NodeFunction<StateType<Definition>, UpdateType<Definition>>>,
  table: readonly Row<Node, StateType<Definition>>[],
) {
  // LangGraph learns the names of nodes one by one; here all are known before.
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
