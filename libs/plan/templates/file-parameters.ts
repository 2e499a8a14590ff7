import type { ParameterValues, PlanParameter } from '../contract/parameters.js';
import type { PlanTask } from '../contract/values.js';
import { extractTextTool, readInput } from '../tools/platform/files.js';
import { mappedTool } from '../tools/platform/map.js';

/** Tools that take the name of an input file as `name`. */
const READING = new Set([readInput, extractTextTool].map(({ description }) => description.name));

/** A plan in which the names of input files have become parameters, and their values in the plan. */
interface Generalized {
  parameters: PlanParameter[];
  tasks: PlanTask[];
  values: ParameterValues;
}

/**
 * Returns a plan in which each input file that it names is a parameter: `file`, `file_2` and so on, and `files` for a
 * list of names that `map` reads. The same name is the same parameter.
 */
export function withFileParameters(tasks: readonly PlanTask[]): Generalized {
  const found = new Map<string, PlanParameter & { value: string | string[] }>();
  const parameterFor = (kind: 'file' | 'files', value: string | string[]) => {
    const key = JSON.stringify(value);
    const earlier = [...found.values()].filter((each) => each.kind === kind).length;
    const name = earlier === 0 ? kind : `${kind}_${earlier + 1}`;
    if (!found.has(key)) found.set(key, { name, kind, value });
    return { $parameter: found.get(key)!.name };
  };
  const general = tasks.map((task): PlanTask => {
    const { name, items } = task.arguments;
    if (READING.has(task.tool) && typeof name === 'string')
      return { ...task, arguments: { ...task.arguments, name: parameterFor('file', name) } };
    if (READING.has(mappedTool(task) ?? '') && isNames(items))
      return { ...task, arguments: { ...task.arguments, items: parameterFor('files', items) } };
    return task;
  });
  const all = [...found.values()];
  return {
    parameters: all.map(({ name, kind }) => ({ name, kind })),
    tasks: general,
    values: Object.fromEntries(all.map(({ name, value }) => [name, value])),
  };
}

const isNames = (items: unknown): items is string[] =>
  Array.isArray(items) && items.length > 0 && items.every((item) => typeof item === 'string');
