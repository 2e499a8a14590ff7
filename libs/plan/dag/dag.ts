import { valueAt } from '#contracts/json-pointer.js';
import { phraseOf, textOf, type Detail } from '#contracts/phrases/detail.js';
import { phrase, type Phrase } from '#contracts/phrases/phrase.js';
import { dependenciesOf, referenceOf } from '../contract/dependencies.js';
import { isObject } from '#contracts/lenient.js';
import { isTexts, TAKES_TABLE } from '../tools/platform/record.js';
import { MAX_ARGUMENT_BYTES, MAX_PLAN_TASKS, type PlanTask } from '../contract/values.js';

/** A plan that cannot run; the message is for its author. */
export class InvalidPlanError extends Error {
  override readonly name = 'InvalidPlanError';
  readonly phrase: Phrase | undefined;

  constructor(detail: Detail) {
    super(textOf(detail));
    this.phrase = phraseOf(detail);
  }
}

/**
 * Replaces each reference in the arguments by its value. Where a list is expected, one value becomes a list of it and null
 * an empty list, because an expression returns one hit without a list, and nothing for none.
 *
 * @param schema JSON Schema of the arguments
 * @throws InvalidPlanError if the value is missing
 */
export function resolveArguments(
  value: unknown,
  results: ReadonlyMap<string, unknown>,
  schema: Schema = {},
): unknown {
  const reference = referenceOf(value);
  if (reference) {
    const { $from, path } = reference;
    const found = valueAt(results.get($from), path);
    if (found === undefined && 'default' in reference)
      return resolveArguments(reference.default, results, schema);
    if (found === undefined)
      throw new InvalidPlanError(phrase('invalid_plan.no_value', { task: $from, path }));
    return fitted(found, schema, () => valueAt(results.get($from), path.replace(/\/rows$/, '/columns')));
  }
  if (Array.isArray(value))
    return value.map((item) => resolveArguments(item, results, schemaIn(schema, 'items')));
  if (typeof value !== 'object' || value === null) return value;
  const properties = schemaIn(schema, 'properties');
  const others = schemaIn(schema, 'additionalProperties');
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const known = Object.hasOwn(properties, key) ? schemaIn(properties, key) : others;
      return [key, resolveArguments(item, results, known)];
    }),
  );
}

type Schema = Record<string, unknown>;
const schemaIn = (schema: Schema, key: string): Schema =>
  isObject(schema[key]) ? (schema[key] as Schema) : {};

/** @param columns returns the columns next to rows */
function fitted(found: unknown, schema: Schema, columns: () => unknown): unknown {
  const isList = Array.isArray(found);
  if (schema['type'] === 'array' && !isList) return found === null ? [] : [found];
  if (!isList || found.length > 0 || schema[TAKES_TABLE] !== true) return found;
  const known = columns();
  return isTexts(known) && known.length > 0 ? { $columns: known } : found;
}

/**
 * Returns the layers of a plan (Kahn): each plan step is in the first layer after all its dependencies.
 *
 * @throws InvalidPlanError if ids are not unique, a dependency is missing, dependencies form a cycle, or
 *   there are too many plan steps
 */
export function layersOf(tasks: readonly PlanTask[]): string[][] {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  if (byId.size < tasks.length) throw new InvalidPlanError(phrase('invalid_plan.same_id'));
  if (tasks.length > MAX_PLAN_TASKS)
    throw new InvalidPlanError(phrase('invalid_plan.too_many_tasks', { max: MAX_PLAN_TASKS }));
  const waiting = new Map(tasks.map((task) => [task.id, new Set(checkedDependencies(task, byId))]));
  const layers: string[][] = [];
  while (waiting.size > 0) {
    const layer = [...waiting].filter(([, open]) => open.size === 0).map(([id]) => id);
    if (layer.length === 0)
      throw new InvalidPlanError(phrase('invalid_plan.cycle', { tasks: [...waiting.keys()].join(', ') }));
    for (const id of layer) waiting.delete(id);
    for (const open of waiting.values()) for (const id of layer) open.delete(id);
    layers.push(layer);
  }
  return layers;
}

function checkedDependencies(task: PlanTask, byId: ReadonlyMap<string, PlanTask>): string[] {
  if (JSON.stringify(task.arguments).length > MAX_ARGUMENT_BYTES)
    throw new InvalidPlanError(
      phrase('invalid_plan.arguments_too_large', { task: task.id, max: MAX_ARGUMENT_BYTES }),
    );
  const dependencies = dependenciesOf(task);
  const unknown = dependencies.find((id) => !byId.has(id));
  if (unknown !== undefined)
    throw new InvalidPlanError(phrase('invalid_plan.unknown_dependency', { task: task.id, other: unknown }));
  return dependencies;
}

/** Returns the plan steps that can run next: not done, with all dependencies done. */
export function nextLayer(tasks: readonly PlanTask[], done: ReadonlySet<string>): PlanTask[] {
  return tasks.filter((task) => !done.has(task.id) && dependenciesOf(task).every((id) => done.has(id)));
}
