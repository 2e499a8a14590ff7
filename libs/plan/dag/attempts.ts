import type { PlanTaskResult } from '../contract/values.js';
import type { PlanState } from '../graph/state.js';

/** Returns the newest result of each plan step. */
export function newestResults(state: Pick<PlanState, 'results'>): Map<string, PlanTaskResult> {
  return new Map(state.results.map((result) => [result.task_id, result]));
}

/** Returns the first failed result in the last layer, except for plan steps that a person wants to repeat. */
export function failedTask(
  state: Pick<PlanState, 'results' | 'running' | 'approved'>,
): PlanTaskResult | undefined {
  const newest = newestResults(state);
  return state.running
    .filter((id) => !state.approved.includes(id))
    .map((id) => newest.get(id))
    .find((result) => result?.status === 'failed');
}

/** Returns the ids of the plan steps that succeeded or were skipped: later ones need not wait for them. */
export function settledTasks(state: Pick<PlanState, 'results'>): Set<string> {
  const settled = [...newestResults(state).values()].filter(({ status }) => status !== 'failed');
  return new Set(settled.map(({ task_id }) => task_id));
}

/** Returns the plan steps that succeeded, in order of completion. */
export function completedTasks(state: Pick<PlanState, 'results'>): PlanTaskResult[] {
  const newest = newestResults(state);
  return state.results.filter(
    (result) => result.status === 'completed' && newest.get(result.task_id) === result,
  );
}
