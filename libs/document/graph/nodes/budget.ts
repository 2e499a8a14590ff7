import { budgetQuestion } from '#kit/graph/budget.js';
import type { BudgetShortfall } from '#contracts/budgets.js';
import type { DecisionOrder } from '#contracts/decisions.js';
import { runRemotely } from '#kit/graph/remote.js';
import type { DocumentPorts } from '../ports.js';
import type { DocumentState, DocumentUpdate } from '../state.js';

function budgetRequest(
  state: DocumentState,
  shortfall: BudgetShortfall,
  deadlineSeconds: number,
): DecisionOrder {
  return {
    session_id: state.session_id,
    decision_type: 'budget_exceeded',
    ...budgetQuestion(shortfall),
    references: [],
    context: [],
    budget: shortfall,
    deadline_seconds: deadlineSeconds,
    default_answer: { action: 'stop' },
  };
}

/** X7: asks a person to raise the budget, try again or stop, because the next model call might exceed it. */
export function budgetDecision(ports: DocumentPorts) {
  return async (state: DocumentState): Promise<DocumentUpdate> => {
    const shortfall = state.budget_shortfall!;
    const request = budgetRequest(state, shortfall, ports.settings.decisionDeadlineSeconds);
    const outcome = runRemotely('human_input', request);
    const answer = outcome.ok ? outcome.output : request.default_answer;
    if (answer.action === 'stop') {
      const last_error = `The run was stopped: ${shortfall.spent} of its budget of ${shortfall.limit} (${shortfall.unit}) are used. The manuscript so far is saved.`;
      return { budget_shortfall: null, status: 'failed', last_error, error_type: 'budget_exceeded' };
    }
    if (answer.action === 'top_up') {
      const added = Number(answer[shortfall.unit === 'tokens' ? 'add_tokens' : 'add_cost']);
      // Set the new amount, not the difference, so that a repeated step raises the budget only once.
      await ports.model.setBudget(shortfall.unit, shortfall.limit + added);
    }
    return { budget_shortfall: null, status: 'processing' };
  };
}
