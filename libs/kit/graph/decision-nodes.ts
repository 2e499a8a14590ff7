import type { BudgetShortfall } from '#contracts/budgets.js';
import type { Phrase } from '#contracts/phrases/phrase.js';
import { askAboutModel } from './ask-about-model.js';
import { askForBudget } from './budget.js';
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
  /** What happened to the text; ends the message of a run that ends. */
  text?: string;
  /** What rules can do instead of the model; null if they cannot do the work. */
  byRules?: Phrase | null;
}

/** Returns the nodes that ask a person about a short budget (X7) and about a failed model (X13). */
export function decisionNodes<Status extends 'rejected' | 'failed'>(
  ports: Ports,
  { stopped, text = 'The text so far is saved.', byRules }: Ending<Status>,
) {
  return {
    budget_decision: async (state: AskingState) => {
      if (await askForBudget(ports, state.session_id, state.budget_shortfall!))
        return { budget_shortfall: null };
      const last_error = `The run was stopped because its budget was used up. ${text}`;
      return { budget_shortfall: null, status: stopped, error_type: 'budget_exceeded', last_error };
    },
    model_decision: (state: AskingState) => {
      const { recovery, error } = askAboutModel(ports, state.session_id, state.model_recovery, byRules);
      const update = { model_recovery: recovery };
      if (!error) return Promise.resolve(update);
      const last_error = `${state.model_recovery.failure!.message} ${text}`;
      return Promise.resolve({ ...update, status: 'failed' as const, error_type: error.code, last_error });
    },
  };
}
