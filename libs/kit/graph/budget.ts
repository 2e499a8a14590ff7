import { questionOf } from '#contracts/decision-request.js';
import { moneyPhrase } from '#contracts/phrases/parts.js';
import { phrase } from '#contracts/phrases/phrase.js';
import type { BudgetShortfall } from '#contracts/budgets.js';
import type { ModelPort } from './ports.js';
import { runRemotely } from './remote.js';

/**
 * Asks a person to raise the budget or stop the run, because the next model call might exceed it (X7). A node
 * must call this first.
 *
 * @returns whether the run continues
 */
export async function askForBudget(
  ports: { model: ModelPort; settings: { decisionDeadlineSeconds: number } },
  sessionId: string,
  shortfall: BudgetShortfall,
): Promise<boolean> {
  const { unit, limit } = shortfall;
  const outcome = runRemotely('human_input', {
    session_id: sessionId,
    decision_type: 'budget_exceeded',
    ...budgetQuestion(shortfall),
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
    // Set the new total instead of adding: if the step is repeated, the budget must not rise twice.
    await ports.model.setBudget(unit, limit + added);
  }
  return true;
}

/** Returns the fields of the question about an exceeded budget. */
function budgetQuestion({ scope, unit, spent, reserved, needed, limit }: BudgetShortfall) {
  const shown = (amount: number) => (unit === 'cost' ? moneyPhrase(amount) : amount);
  return questionOf(
    phrase(`question.budget.${scope}_${unit}`, {
      spent: shown(spent),
      reserved: shown(reserved),
      needed: shown(needed),
      limit: shown(limit),
    }),
  );
}
