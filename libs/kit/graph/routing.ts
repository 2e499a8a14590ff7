/** LangGraph's name for the end of a graph; routing tables are read by processes that load no graph. */
export const END = '__end__';

/** A row of a routing table: the node that follows `from` if its condition holds. */
export interface Row<Node extends string, State> {
  from: Node;
  to: Node | typeof END;
  when: string;
  holds(state: State): boolean;
}

/** Returns the target of the node's first row whose condition holds; otherwise END. */
export function nextByTable<Node extends string, State>(
  table: readonly Row<Node, State>[],
  from: Node,
  state: State,
): Node | typeof END {
  return table.find((row) => row.from === from && row.holds(state))?.to ?? END;
}
