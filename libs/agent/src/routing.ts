import { END } from '@langchain/langgraph';

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

/** The ways on that a table gives to each node, for a graph's conditional edges. */
export function edgesByTable<Node extends string, State>(
  nodes: readonly Node[],
  table: readonly Row<Node, State>[],
): { name: Node; decide: (state: State) => Node | typeof END; targets: (Node | typeof END)[] }[] {
  return nodes.map((name) => ({
    name,
    decide: (state) => nextByTable(table, name, state),
    targets: [...new Set(table.filter(({ from }) => from === name).map(({ to }) => to))],
  }));
}
