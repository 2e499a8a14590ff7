import type { PlanTaskResult } from '../contract/values.js';
import type { PlanState } from '../graph/state.js';

/** Returns the newest result of each plan step. */
export function newestResults(state: Pick<PlanState, 'results'>): Map<string, PlanTaskResult> {
  return new Map(state.results.map((result) => [result.task_id, result]));
}

/** Returns the first failed result in the last layer, except for steps that are repeated or given up. */
export function failedTask(
  state: Pick<PlanState, 'results' | 'running' | 'approved' | 'given_up'>,
): PlanTaskResult | undefined {
  const newest = newestResults(state);
  return state.running
    .filter((id) => !state.approved.includes(id) && !state.given_up?.includes(id))
    .map((id) => newest.get(id))
    .find((result) => result?.status === 'failed');
}

/**
 * Returns the ids of the plan steps for which later ones need not wait: they succeeded, were skipped, or failed although
 * the plan continues.
 */
export function settledTasks(state: Pick<PlanState, 'results' | 'tasks' | 'given_up'>): Set<string> {
  const settled = [...newestResults(state).values()].filter(({ status }) => status !== 'failed');
  const continued = state.tasks.filter(({ id, continue_on_error: isOptional }) =>
    isOptional ? state.given_up?.includes(id) : false,
  );
  return new Set([...settled.map(({ task_id }) => task_id), ...continued.map(({ id }) => id)]);
}

/** Returns the first failed plan step without which the plan cannot succeed. */
export function fatalFailure(
  state: Pick<PlanState, 'results' | 'tasks' | 'given_up'>,
): PlanTaskResult | undefined {
  const settled = settledTasks(state);
  const newest = newestResults(state);
  return state.given_up?.filter((id) => !settled.has(id)).map((id) => newest.get(id)!)[0];
}

/** Returns the plan steps that succeeded, in order of completion. */
export function completedTasks(state: Pick<PlanState, 'results'>): PlanTaskResult[] {
  const newest = newestResults(state);
  return state.results.filter(
    (result) => result.status === 'completed' && newest.get(result.task_id) === result,
  );
}
