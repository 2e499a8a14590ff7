import type { PlanTask, PlanTaskResult } from '#contracts/kinds/plan/schemas.js';
import { referencesIn } from './dag.js';

/** Where the results lie that a task's arguments refer to, by task. */
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
