import {
  MAX_ARGUMENT_BYTES,
  MAX_PLAN_TASKS,
  resultReferenceSchema,
  type PlanTask,
  type ResultReference,
} from '#contracts/kinds/plan/schemas.js';

/** A plan that cannot be run; the message is for whoever made it. */
export class InvalidPlanError extends Error {
  override readonly name = 'InvalidPlanError';
}

/** The reference that an argument is, or null when it is a value. */
export function referenceOf(value: unknown): ResultReference | null {
  const parsed = resultReferenceSchema.safeParse(value);
  return parsed.success ? parsed.data : null;
}

/** Every reference to an earlier result within arguments. */
export function referencesIn(value: unknown): ResultReference[] {
  const reference = referenceOf(value);
  if (reference) return [reference];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(referencesIn);
}

/** The value at a JSON Pointer (RFC 6901), or undefined where there is none. */
export function valueAt(value: unknown, pointer: string): unknown {
  if (pointer === '') return value;
  if (!pointer.startsWith('/')) return undefined;
  let at: unknown = value;
  for (const part of pointer.slice(1).split('/')) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Record<string, unknown>)[key];
  }
  return at;
}

/** The arguments with each reference replaced by what it refers to. @throws InvalidPlanError when that is not there */
export function resolveArguments(value: unknown, results: ReadonlyMap<string, unknown>): unknown {
  const reference = referenceOf(value);
  if (reference) {
    const found = valueAt(results.get(reference.$from), reference.path);
    if (found === undefined)
      throw new InvalidPlanError(`The result of ${reference.$from} has nothing at "${reference.path}".`);
    return found;
  }
  if (Array.isArray(value)) return value.map((item) => resolveArguments(item, results));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, resolveArguments(item, results)]),
  );
}

/** Tasks that a task waits for: those it names, and those whose results it takes. */
export function dependenciesOf(task: PlanTask): string[] {
  return [...new Set([...task.depends_on, ...referencesIn(task.arguments).map(({ $from }) => $from)])];
}

/**
 * The layers of a plan (Kahn): each task stands in the first layer after all that it waits for.
 *
 * @throws InvalidPlanError when tasks share an id, wait for one that is not there or for each other, or there are too many
 */
export function layersOf(tasks: readonly PlanTask[]): string[][] {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  if (byId.size < tasks.length) throw new InvalidPlanError('Two tasks have the same id.');
  if (tasks.length > MAX_PLAN_TASKS)
    throw new InvalidPlanError(`A plan has at most ${MAX_PLAN_TASKS} tasks.`);
  const waiting = new Map(tasks.map((task) => [task.id, new Set(checkedDependencies(task, byId))]));
  const layers: string[][] = [];
  while (waiting.size > 0) {
    const layer = [...waiting].filter(([, open]) => open.size === 0).map(([id]) => id);
    if (layer.length === 0)
      throw new InvalidPlanError(`These tasks wait for each other: ${[...waiting.keys()].join(', ')}.`);
    for (const id of layer) waiting.delete(id);
    for (const open of waiting.values()) for (const id of layer) open.delete(id);
    layers.push(layer);
  }
  return layers;
}

function checkedDependencies(task: PlanTask, byId: ReadonlyMap<string, PlanTask>): string[] {
  if (JSON.stringify(task.arguments).length > MAX_ARGUMENT_BYTES)
    throw new InvalidPlanError(`The arguments of ${task.id} take more than ${MAX_ARGUMENT_BYTES} bytes.`);
  const dependencies = dependenciesOf(task);
  const unknown = dependencies.find((id) => !byId.has(id));
  if (unknown !== undefined) throw new InvalidPlanError(`${task.id} waits for ${unknown}, which is no task.`);
  return dependencies;
}

/** The tasks that can run next, of those that are not done: all whose dependencies are done. */
export function nextLayer(tasks: readonly PlanTask[], done: ReadonlySet<string>): PlanTask[] {
  return tasks.filter((task) => !done.has(task.id) && dependenciesOf(task).every((id) => done.has(id)));
}
