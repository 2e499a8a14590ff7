import { runRemotely } from '#agent/remote.js';
import type { BookPorts } from '../ports.js';
import { failed, type BookState, type BookUpdate } from '../state.js';

/** B12: one format a visit; a worker makes the file. The run ends when all are made. */
export function exportNode(state: BookState): BookUpdate {
  const formats = state.inputs.formats ?? ['docx', 'pdf'];
  const format = formats.find((wanted) => !state.exports.some((made) => made.format === wanted));
  if (!format) return { status: 'completed' };
  const input = { session_id: state.session_id, project_id: state.project_id, format };
  const outcome = runRemotely('book_export', input);
  if (!outcome.ok) return failed(outcome.error.code, outcome.error.message);
  const { export_id: id, name } = outcome.output;
  const exports = [...state.exports, { id, format, name }];
  const isLast = formats.every((wanted) => exports.some((made) => made.format === wanted));
  return { exports, ...(isLast ? { status: 'completed' } : {}) };
}

/** X7: the next model call might exceed a budget; a person tops it up, or stops the run. */
export function budgetNode(ports: BookPorts) {
  return async (state: BookState): Promise<BookUpdate> => {
    const shortfall = state.budget_shortfall!;
    const { scope, unit, spent, limit, needed } = shortfall;
    const outcome = runRemotely('human_input', {
      session_id: state.session_id,
      decision_type: 'budget_exceeded',
      question: `The budget of the ${scope} does not allow the next step: ${spent} of ${limit} ${unit} are spent, and it may take ${needed}. What is written is kept.`,
      references: [],
      context: [],
      budget: shortfall,
      deadline_seconds: ports.settings.decisionDeadlineSeconds,
      default_answer: { action: 'stop' },
    });
    const answer: Record<string, unknown> = outcome.ok ? outcome.output : { action: 'stop' };
    if (answer['action'] === 'stop')
      return {
        budget_shortfall: null,
        ...failed('budget_exceeded', 'The run was stopped at its budget. What is written is kept.'),
      };
    if (answer['action'] === 'top_up') {
      const added = Number(answer[unit === 'tokens' ? 'add_tokens' : 'add_cost']);
      // The new amount, not the difference: a step that is repeated tops nothing up twice.
      await ports.model.setBudget(unit, limit + added);
    }
    return { budget_shortfall: null };
  };
}
