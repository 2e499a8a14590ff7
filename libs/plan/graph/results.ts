import type { PlanTask, PlanTaskResult } from '../contract/values.js';
import { referencesIn } from '../dag/dag.js';

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
