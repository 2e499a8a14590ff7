import type { PlanPause, PlanTask, PlanTaskResult } from '../contract/values.js';
import { referencesIn } from '../contract/dependencies.js';
import { resolveArguments, valueAt } from '../dag/dag.js';
import { redactValue } from '../tools/redact.js';
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

/** Maximum characters of results, as JSON, that an approval shows in full for a step: about 70 pages. */
const MAX_SHOWN = 200_000;

/**
 * Returns the pause with the values that the next plan steps will get from earlier results, so that a person sees
 * what will be written or sent, with secrets removed (P5).
 */
export async function withResolvedArguments(
  pause: PlanPause,
  newest: ReadonlyMap<string, PlanTaskResult>,
  ports: Pick<PlanPorts, 'result'>,
): Promise<PlanPause> {
  const next = pause.next_layer.map(async (task) => {
    const resolved = await resolvedArguments(task.arguments, newest, ports);
    return resolved === null ? task : { ...task, resolved };
  });
  return { ...pause, next_layer: await Promise.all(next) };
}

/** Returns null if the arguments use no result, a value is missing (the call will say so), or they are too long to show. */
async function resolvedArguments(
  args: PlanTask['arguments'],
  newest: ReadonlyMap<string, PlanTaskResult>,
  ports: Pick<PlanPorts, 'result'>,
): Promise<Record<string, unknown> | null> {
  const references = referencesIn(args);
  if (references.length === 0) return null;
  const used = [...new Set(references.map(({ $from }) => $from))].flatMap((id) => newest.get(id) ?? []);
  const results = new Map(
    await Promise.all(
      used.map(async ({ task_id, result, result_key: key }): Promise<[string, unknown]> => [
        task_id,
        key === null ? result : await ports.result(key),
      ]),
    ),
  );
  let room = MAX_SHOWN;
  for (const { $from, path } of references) {
    const value = valueAt(results.get($from), path);
    if (value === undefined) return null;
    room -= JSON.stringify(value).length;
    if (room < 0) return null;
  }
  return redactValue(resolveArguments(args, results)) as Record<string, unknown>;
}
