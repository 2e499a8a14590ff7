import type { BudgetShortfall } from '#contracts/budgets.js';
import type { ModelRecovery } from './model-recovery.js';

/** LangGraph's name for the end of a graph; routing tables are read by processes that load no graph. */
export const END = '__end__' as const;

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

/** Condition of a row that always applies. */
export const otherwise = { when: 'otherwise', holds: () => true };

export const isOver = {
  when: 'the run is over',
  holds: ({ status }: { status: string }) => status !== 'running',
};

/** State of a graph whose nodes ask a model. */
interface AskingState {
  status: string;
  current_node: string | null;
  budget_shortfall: BudgetShortfall | null;
  model_recovery: ModelRecovery;
}

const DECISIONS = ['budget_decision', 'model_decision'] as const;
type Decision = (typeof DECISIONS)[number];

/** Rows of nodes that ask a model: to the decision about a short budget (X7) or a failed model (X13). */
export const decisionRows = <Node extends string>(
  asking: readonly Node[],
): Row<Node | Decision, AskingState>[] => [
  ...asking.map((from) => ({
    from,
    to: 'budget_decision' as const,
    when: 'a budget is short',
    holds: ({ budget_shortfall: shortfall }: AskingState) => shortfall !== null,
  })),
  ...asking.map((from) => ({
    from,
    to: 'model_decision' as const,
    when: 'the model failed',
    holds: ({ model_recovery: { failure } }: AskingState) => failure !== null,
  })),
];

/** Rows of the decisions: back to the node that asked. */
export const returningRows = <Node extends string>(
  asking: readonly Node[],
): Row<Node | Decision, AskingState>[] =>
  DECISIONS.flatMap((from) => [
    { from, to: END, ...isOver },
    ...asking.map((to) => ({
      from,
      to,
      when: `${to} asked`,
      holds: ({ current_node }: AskingState) => current_node === to,
    })),
    { from, to: END, ...otherwise },
  ]);
