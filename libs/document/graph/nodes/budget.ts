import { askForBudget } from '#kit/graph/budget.js';
import type { DocumentPorts } from '../ports.js';
import type { DocumentState, DocumentUpdate } from '../state.js';

/** X7: asks a person to raise the budget, try again or stop, because the next model call might exceed it. */
export function budgetDecision(ports: DocumentPorts) {
  return async (state: DocumentState): Promise<DocumentUpdate> => {
    const shortfall = state.budget_shortfall!;
    if (await askForBudget(ports, state.session_id, shortfall))
      return { budget_shortfall: null, status: 'processing' };
    const last_error = `The run was stopped: ${shortfall.spent} of its budget of ${shortfall.limit} (${shortfall.unit}) are used. The manuscript so far is saved.`;
    return { budget_shortfall: null, status: 'failed', last_error, error_type: 'budget_exceeded' };
  };
}
