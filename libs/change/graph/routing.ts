import { decisionRows, END, isOver, otherwise, type Row } from '#kit/graph/routing.js';
import type { ChangeState } from './state.js';

export const changeNodes = [
  'propose_change',
  'validate_change',
  'save_proposal',
  'budget_decision',
  'model_decision',
] as const;
export type ChangeNode = (typeof changeNodes)[number];

/** Routes of the graph of changes. A node follows its first row with a true condition. */
export const routingTable: Row<ChangeNode, ChangeState>[] = [
  ...decisionRows(['propose_change'] as const),
  { from: 'propose_change', to: END, ...isOver },
  {
    from: 'propose_change',
    to: 'validate_change',
    when: 'the manuscript of a document was validated before',
    holds: ({ candidate }) => candidate?.validation != null,
  },
  { from: 'propose_change', to: 'save_proposal', ...otherwise },
  { from: 'validate_change', to: END, ...isOver },
  { from: 'validate_change', to: 'save_proposal', ...otherwise },
  { from: 'save_proposal', to: END, ...otherwise },
  { from: 'budget_decision', to: END, ...isOver },
  { from: 'budget_decision', to: 'propose_change', ...otherwise },
  { from: 'model_decision', to: END, ...isOver },
  { from: 'model_decision', to: 'propose_change', ...otherwise },
];
