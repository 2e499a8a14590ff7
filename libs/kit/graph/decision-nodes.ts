import type { BudgetShortfall } from '#contracts/budgets.js';
import { detailOf } from '#contracts/phrases/detail.js';
import { phrase, type Phrase } from '#contracts/phrases/phrase.js';
import { askAboutModel, continueByRules } from './ask-about-model.js';
import { failureState } from './failure-state.js';
import type { ModelRecovery } from './model-recovery.js';
import type { RunModel, ModelPort } from './ports.js';
import { questionOf } from '#contracts/decision-request.js';
import { moneyPhrase } from '#contracts/phrases/parts.js';
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

interface Ports {
  model: RunModel;
  settings: { decisionDeadlineSeconds: number };
}

interface AskingState {
  session_id: string;
  budget_shortfall: BudgetShortfall | null;
  model_recovery: ModelRecovery;
}

interface Ending<Status> {
  /** Status of a run that a person stopped because its budget is used up. */
  stopped: Status;
  /** Whether the text is saved or stays unchanged when the run ends. */
  text?: 'saved' | 'unchanged';
  /** Returns what rules can do instead of the model; null if they cannot do the operation. */
  byRules?: (operation: string) => Phrase | null;
}

/** Returns the nodes that ask a person about a short budget (X7) and about a failed model (X13). */
export function decisionNodes<Status extends 'rejected' | 'failed'>(
  ports: Ports,
  { stopped, text = 'saved', byRules = () => continueByRules }: Ending<Status>,
) {
  return {
    budget_decision: async (state: AskingState) => {
      if (await askForBudget(ports, state.session_id, state.budget_shortfall!))
        return { budget_shortfall: null };
      const reason = phrase(`run_error.budget_exceeded.${text}`);
      return { budget_shortfall: null, status: stopped, ...failureState('budget_exceeded', reason) };
    },
    model_decision: (state: AskingState) => {
      const { session_id: id, model_recovery: failed } = state;
      const { recovery, error } = askAboutModel(ports, id, failed, byRules(failed.failure!.operation));
      const update = { model_recovery: recovery };
      if (!error) return Promise.resolve(update);
      const failure = detailOf(state.model_recovery.failure!);
      const reason = phrase(`run_error.with_${text}_text`, { error: failure });
      return Promise.resolve({ ...update, status: 'failed' as const, ...failureState(error.code, reason) });
    },
  };
}
