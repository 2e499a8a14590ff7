import type { PlanTask, PlanTaskResult } from '../contract/values.js';
import { referencesIn } from '../contract/dependencies.js';
import { valueAt } from '../dag/dag.js';
import type { PlanPorts } from './ports.js';

/** Returns the object keys of the results to which a plan step's arguments refer, by plan step. */
export function resultKeysFor(
  task: PlanTask,
  newest: ReadonlyMap<string, PlanTaskResult>,
): Record<string, string> {
  const wanted = new Set(referencesIn(task.arguments).map(({ $from }) => $from));
  return Object.fromEntries(
    [...wanted].flatMap((id) => {
      const key = newest.get(id)?.result_key;
      return key ? [[id, key]] : [];
    }),
  );
}

/**
 * Returns whether a plan step may run: its condition is true, and all steps that it gets results from ran.
 */
export async function conditionOf(
  { arguments: args, when }: PlanTask,
  newest: ReadonlyMap<string, PlanTaskResult>,
  ports: Pick<PlanPorts, 'result'>,
): Promise<'met' | 'not_met' | 'invalid'> {
  const used = referencesIn([args, when ?? null]);
  if (used.some(({ $from }) => newest.get($from)?.status === 'skipped')) return 'not_met';
  if (!when) return 'met';
  const key = newest.get(when.$from)?.result_key;
  const value = key ? valueAt(await ports.result(key), when.path) : undefined;
  if (typeof value !== 'boolean') return 'invalid';
  return value ? 'met' : 'not_met';
}
