import type { BudgetShortfall } from '#contracts/budgets.js';
import type { ModelPort } from './ports.js';
import { runRemotely } from './remote.js';

function questionOf({ scope, unit, spent, reserved, needed, limit }: BudgetShortfall): string {
  const of = scope === 'run' ? 'of this run' : "of the tenant's month";
  const amounts = unit === 'tokens' ? 'tokens' : 'millionths of the currency';
  const figures = `${spent} of ${limit} ${amounts} are used, ${reserved} more are reserved, and the step may need ${needed}.`;
  const choice =
    scope === 'run'
      ? 'Increase it, or stop the run?'
      : 'Try again when the operator has raised it or other runs have ended, or stop the run?';
  return `The budget ${of} does not allow the next step: ${figures} ${choice} The text so far is saved.`;
}

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
    question: questionOf(shortfall),
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
