import type { BudgetShortfall } from '#contracts/budgets.js';
import { detailOf } from '#contracts/phrases/detail.js';
import { phrase, type Phrase } from '#contracts/phrases/phrase.js';
import { askAboutModel, continueByRules } from './ask-about-model.js';
import { askForBudget } from './budget.js';
import { failureState } from './failure-state.js';
import type { ModelRecovery } from './model-recovery.js';
import type { RunModel } from './ports.js';

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
