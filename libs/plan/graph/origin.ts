import type { PlanTask } from '../contract/values.js';
import { BY_CLIENT, isBoundToHost, type Origin } from '../dag/outbound.js';
import { stepsByModel } from '../dag/progress.js';
import type { PlanPorts } from './ports.js';
import type { PlanState } from './state.js';

/**
 * Returns the origin of a plan, with the tenant's hosts if one of its steps depends on them.
 *
 * @param byModel plan steps that a model wrote
 */
export async function originOf(
  ports: Pick<PlanPorts, 'allowedHosts'>,
  tasks: readonly PlanTask[],
  byModel: readonly string[],
): Promise<Origin> {
  if (byModel.length === 0 && !tasks.some(isBoundToHost)) return BY_CLIENT;
  return { byModel, hosts: await ports.allowedHosts() };
}

/** Returns the steps of a new plan that a model wrote: those of before, and those that it added or changed. */
export function stepsByModelAfter(
  state: PlanState,
  tasks: readonly PlanTask[],
  isReplannedByModel: boolean,
): string[] {
  const earlier = stepsByModel(state);
  const before = new Map(state.tasks.map((task) => [task.id, JSON.stringify(task)]));
  const isByModel = (task: PlanTask) =>
    earlier.includes(task.id) || (isReplannedByModel && before.get(task.id) !== JSON.stringify(task));
  return tasks.filter(isByModel).map(({ id }) => id);
}
