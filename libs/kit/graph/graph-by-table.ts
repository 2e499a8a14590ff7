import {
  StateGraph,
  type AnnotationRoot,
  type Send,
  type START,
  type StateDefinition,
  type StateType,
  type UpdateType,
} from '@langchain/langgraph';
import type { NodeFunction } from './node.js';
import { nextByTable, type Row } from './routing.js';

type NodeOrSync<State, Update> = (
  ...args: Parameters<NodeFunction<State, Update>>
) => Update | Promise<Update>;

/**
 * Builds a graph whose edges come from a routing table. It is not compiled, and the caller adds the entry
 * edge.
 *
 * @param names names of the nodes, in their order
 * @param sends nodes that start the node of their row several times, each with an input of its own
 */
export function graphByTable<Definition extends StateDefinition, Node extends string>(
  annotation: AnnotationRoot<Definition>,
  names: readonly Node[],
  nodes: Record<Node, NodeOrSync<StateType<Definition>, UpdateType<Definition>>>,
  table: readonly Row<Node, StateType<Definition>>[],
  sends: Partial<Record<Node, (state: StateType<Definition>) => Send[]>> = {},
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
    const decide = sends[name] ?? ((state: StateType<Definition>) => nextByTable(table, name, state));
    graph.addConditionalEdges(name, decide as never, targets as never);
  }
  return graph;
}
