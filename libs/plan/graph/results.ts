import type { PlanPause, PlanTask, PlanTaskResult } from '../contract/values.js';
import { needsResult, referencesIn } from '../contract/dependencies.js';
import { valueAt } from '#contracts/json-pointer.js';
import { InvalidPlanError, resolveArguments } from '../dag/dag.js';
import { itemArguments, MAP, mapInput } from '../tools/platform/map.js';
import { ToolCallError } from '../tools/tool.js';
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
  // A step that it depends on has failed only if the plan continues without it.
  const isWithout = (id: string) => ['skipped', 'failed'].includes(newest.get(id)?.status ?? '');
  if (needsResult([args, when ?? null], isWithout)) return 'not_met';
  if (!when) return 'met';
  const key = newest.get(when.$from)?.result_key;
  const value = key ? valueAt(await ports.result(key), when.path) : undefined;
  if (typeof value !== 'boolean') return 'invalid';
  return value ? 'met' : 'not_met';
}

/** Maximum characters of results, as JSON, that an approval shows: about 70 pages. */
const MAX_SHOWN = 200_000;
/** Maximum size of a result that is read for an approval, in bytes of JSON. */
const MAX_READ = 2_000_000;

/**
 * Returns the pause with the values that the next plan steps will get from earlier results, so that a person sees
 * what will be written or sent, with secrets removed (P5). Steps after the limit show the references.
 */
export async function withResolvedArguments(
  pause: PlanPause,
  newest: ReadonlyMap<string, PlanTaskResult>,
  ports: Pick<PlanPorts, 'result'>,
): Promise<PlanPause> {
  const used = new Set(
    pause.next_layer.flatMap((task) => referencesIn(task.arguments).map(({ $from }) => $from)),
  );
  const values = new Map<string, unknown>();
  for (const id of used) {
    const { result = null, result_key: key = null, bytes = 0 } = newest.get(id) ?? {};
    // Small results are in the state.
    if (result !== null) values.set(id, result);
    else if (key !== null && bytes <= MAX_READ) values.set(id, await ports.result(key));
  }
  const isUnread = (id: string) => Boolean(newest.get(id)?.result_key) && !values.has(id);
  let room = MAX_SHOWN;
  const next_layer = pause.next_layer.map((task) => {
    if (referencesIn(task.arguments).some(({ $from }) => isUnread($from))) return task;
    const shown = resolvedArguments(task.arguments, values, room);
    room = shown?.room ?? room;
    const full = shown === null ? task : { ...task, resolved: shown.resolved };
    const calls = full.side_effects ? callsOf(full, room) : null;
    room -= calls?.length ?? 0;
    return calls === null ? full : { ...full, calls: calls.calls };
  });
  return { ...pause, next_layer };
}

/** Returns the arguments of each call of a `map`, and their length as JSON; null for another step, or if there is no room for them. */
function callsOf(
  { tool, arguments: planned, resolved = planned }: PlanPause['next_layer'][number],
  room: number,
): { calls: NonNullable<PlanPause['next_layer'][number]['calls']>; length: number } | null {
  const given = mapInput.safeParse(resolved);
  if (tool !== MAP || !given.success) return null;
  const calls: (Record<string, unknown> | null)[] = [];
  let length = 0;
  for (const [index, item] of given.data.items.entries()) {
    calls.push(argumentsOrNull(given.data, item, index));
    length += JSON.stringify(calls.at(-1)).length;
    if (length > room) return null;
  }
  return { calls: redactValue(calls) as typeof calls, length };
}

function argumentsOrNull(...given: Parameters<typeof itemArguments>): Record<string, unknown> | null {
  try {
    return itemArguments(...given);
  } catch (error) {
    if (error instanceof ToolCallError) return null;
    throw error;
  }
}

/** Returns null if the arguments use no result, lack a value (the call will say so), or there is no room for them. */
function resolvedArguments(
  args: PlanTask['arguments'],
  values: ReadonlyMap<string, unknown>,
  room: number,
): { resolved: Record<string, unknown>; room: number } | null {
  const references = referencesIn(args);
  if (references.length === 0) return null;
  // Before resolving: a long text may be used many times.
  for (const { $from, path } of references) {
    room -= JSON.stringify(valueAt(values.get($from), path) ?? null).length;
    if (room < 0) return null;
  }
  try {
    return { resolved: redactValue(resolveArguments(args, values)) as Record<string, unknown>, room };
  } catch (error) {
    if (error instanceof InvalidPlanError) return null;
    throw error;
  }
}
