import type { BudgetShortfall } from '#contracts/budgets.js';
import type { ModelPort } from './ports.js';
import { runRemotely } from './remote.js';

/**
 * X7: the next model call might exceed a budget; a person tops it up, or stops the run. To be called first in a node.
 *
 * @returns whether the run goes on
 */
export async function askForBudget(
  ports: { model: ModelPort; settings: { decisionDeadlineSeconds: number } },
  sessionId: string,
  shortfall: BudgetShortfall,
): Promise<boolean> {
  const { scope, unit, spent, limit, needed } = shortfall;
  const outcome = runRemotely('human_input', {
    session_id: sessionId,
    decision_type: 'budget_exceeded',
    question: `The budget of the ${scope} does not allow the next step: ${spent} of ${limit} ${unit} are spent, and it may take ${needed}. What is written is kept.`,
    references: [],
    context: [],
    budget: shortfall,
    deadline_seconds: ports.settings.decisionDeadlineSeconds,
    default_answer: { action: 'stop' },
  });
  const answer: Record<string, unknown> = outcome.ok ? outcome.output : { action: 'stop' };
  if (answer['action'] === 'stop') return false;
  if (answer['action'] === 'top_up') {
    const added = Number(answer[unit === 'tokens' ? 'add_tokens' : 'add_cost']);
    // The new amount, not the difference: a step that is repeated tops nothing up twice.
    await ports.model.setBudget(unit, limit + added);
  }
  return true;
}
