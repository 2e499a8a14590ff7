import { isObject } from '#contracts/lenient.js';
import { dependenciesOf, referenceOf } from './dependencies.js';
import { placesFor, propertiesOf, typeOf, PICKS, type Schema } from './result-places.js';
import type { PlanTask } from './values.js';

/** Schemas of the arguments and results of tools, by name. */
export type ToolSchemas = ReadonlyMap<string, { input: Schema; output: Schema }>;

/** Returns the plan with another step at the end; its ID is the name of the tool with a number. */
export function addStep(tasks: readonly PlanTask[], tool: string): PlanTask[] {
  const base = tool.replaceAll('/', '_');
  const ids = new Set(tasks.map(({ id }) => id));
  let id = base;
  for (let count = 2; ids.has(id); count++) id = `${base}_${count}`;
  return [...tasks, { id, tool, arguments: {}, depends_on: [] }];
}

/**
 * Returns the plan without a step, and without what others used of it as an argument. Conditions stay: without them, the
 * steps would run always.
 */
export const removeStep = (tasks: readonly PlanTask[], id: string): PlanTask[] =>
  tasks.filter((task) => task.id !== id).map((task) => withoutUses(task, id));

/** Returns a step that neither waits for another nor uses its result as an argument. */
const withoutUses = (task: PlanTask, id: string): PlanTask => ({
  ...task,
  arguments: (without(task.arguments, id) ?? {}) as PlanTask['arguments'],
  depends_on: task.depends_on.filter((each) => each !== id),
});

/**
 * Returns a step without its line from another: it neither waits for it nor uses its result as an argument. Its condition
 * stays, unless the line carries nothing else.
 */
export function unlink(task: PlanTask, id: string): PlanTask {
  const { when, ...always } = task;
  if (dependenciesOf(always).includes(id)) return withoutUses(task, id);
  const condition = without(when, id) as PlanTask['when'];
  return condition ? { ...always, when: condition } : always;
}

/** Returns a value without the references to a step, or the default of one; undefined if nothing else is in it. */
function without(value: unknown, id: string): unknown {
  const reference = referenceOf(value);
  if (reference?.$from === id) return without(reference.default, id);
  if (!isObject(value) && !Array.isArray(value)) return value;
  const kept = Object.entries(value)
    .map(([name, each]) => [name, without(each, id)] as const)
    .filter(([name, each]) => each !== undefined || (value as Record<string, unknown>)[name] === undefined);
  if (kept.length === 0 && Object.keys(value).length > 0) return undefined;
  return Array.isArray(value) ? kept.map(([, each]) => each) : Object.fromEntries(kept);
}

/** Returns the steps whose results a step can use: those that do not wait for it. */
export function earlierSteps(tasks: readonly PlanTask[], id: string): PlanTask[] {
  const later = new Set([id]);
  for (let size = 0; size < later.size;) {
    size = later.size;
    for (const task of tasks) if (dependenciesOf(task).some((need) => later.has(need))) later.add(task.id);
  }
  return tasks.filter((task) => !later.has(task.id));
}

/** Names of the results that a step usually passes on. */
const MAIN_RESULTS = ['rows', 'text', 'data', 'answer', 'svg'];
const lastName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/**
 * Returns a step that uses the result of another: in the parameter without a value that takes most, at the place whose
 * type and name fit best.
 *
 * @returns null if no place fits any parameter, or if the steps would wait for each other
 */
export function link(
  tasks: readonly PlanTask[],
  from: string,
  to: string,
  tools: ToolSchemas,
): PlanTask | null {
  const source = earlierSteps(tasks, to).find(({ id }) => id === from);
  const target = tasks.find(({ id }) => id === to);
  const [output, input] = [tools.get(source?.tool ?? '')?.output, tools.get(target?.tool ?? '')?.input];
  if (!target || !output || !input) return null;
  const [best] = Object.entries(propertiesOf(input))
    .filter(([name, schema]) => target.arguments[name] === undefined && !('x-for-people' in schema))
    .map(([name, schema]) => ({
      name,
      most: 'enum' in schema ? 0 : ((schema['maxLength'] as number | undefined) ?? Infinity),
      isNamed: isNamedTables(schema),
      paths: placesFor(output, isNamedTables(schema) ? { type: 'array' } : schema),
    }))
    .filter(({ paths }) => paths.length > 0)
    .sort((a, b) => (a.most === b.most ? 0 : b.most - a.most));
  if (!best) return null;
  const path =
    best.paths.find((each) => lastName(each) === best.name) ??
    best.paths.find((each) => MAIN_RESULTS.includes(lastName(each))) ??
    best.paths[0]!;
  const used = { $from: from, path };
  const value = best.isNamed ? { [from.replaceAll('-', '_')]: used } : used;
  return { ...target, arguments: { ...target.arguments, [best.name]: value } };
}

/** Returns whether a parameter takes lists by name, such as the tables of a query. */
const isNamedTables = ({ additionalProperties: each }: Schema): boolean =>
  isObject(each) && typeOf(each) === 'array';

/**
 * Returns the required parameters of a step that have no value, and the arguments that cannot be used: a text instead
 * of a list or an object, and a file that is not there; and the steps that it refers to although the plan lacks them.
 *
 * @param files names of the input files
 */
export function problemsOfStep(
  task: PlanTask,
  tasks: readonly PlanTask[],
  tools: ToolSchemas,
  files: readonly string[],
): { missing: string[]; wrong: string[]; gone: string[] } {
  const { tool, arguments: args } = task;
  const schema = tools.get(tool)?.input ?? {};
  const isWrong = ([name, parameter]: [string, Schema]): boolean => {
    const value = args[name];
    const isNoFile = parameter[PICKS] === 'input' && !files.includes(String(value));
    return typeof value === 'string' && (isNoFile || ['array', 'object'].includes(typeOf(parameter)));
  };
  return {
    missing: ((schema['required'] ?? []) as string[]).filter((name) => args[name] === undefined),
    wrong: Object.entries(propertiesOf(schema))
      .filter(isWrong)
      .map(([name]) => name),
    gone: dependenciesOf(task).filter((id) => !tasks.some((each) => each.id === id)),
  };
}
