import { phrase } from '#contracts/phrases/phrase.js';
import { failureState } from '#kit/graph/failure-state.js';
import { askForBudget } from '#kit/graph/budget.js';
import type { DocumentPorts } from '../ports.js';
import type { DocumentState, DocumentUpdate } from '../state.js';

/** X7: asks a person to raise the budget, try again or stop, because the next model call might exceed it. */
export function budgetDecision(ports: DocumentPorts) {
  return async (state: DocumentState): Promise<DocumentUpdate> => {
    const shortfall = state.budget_shortfall!;
    if (await askForBudget(ports, state.session_id, shortfall))
      return { budget_shortfall: null, status: 'processing' };
    const { spent, limit, unit } = shortfall;
    const detail = phrase(`run_error.budget_exceeded.${unit}`, { spent, limit });
    return { budget_shortfall: null, status: 'failed', ...failureState('budget_exceeded', detail) };
  };
}
