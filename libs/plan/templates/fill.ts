import type { PlanTask } from '../contract/values.js';
import { parametersOf, type KnownTemplate } from './catalogue.js';

type Values = Readonly<Record<string, string>>;

/** Values that do not fit a template; the paths are those of the request. */
interface Mismatch {
  path: string;
  message: string;
}

/** Returns which values of a template are missing, unknown or not among the choices. */
export function mismatches(template: KnownTemplate, given: Values): Mismatch[] {
  const known = parametersOf(template);
  const unknown = Object.keys(given).filter((name) => !known.some((parameter) => parameter.name === name));
  return [
    ...unknown.map((name) => ({ path: 'parameters', message: `Unrecognized key: "${name}"` })),
    ...known.flatMap(({ name, choices, default: preset }) => {
      const path = `parameters.${name}`;
      const value = Object.hasOwn(given, name) ? given[name] : preset;
      if (value === undefined) return [{ path, message: 'is required by the template' }];
      return choices && !choices.includes(value) ? [{ path, message: `one of ${choices.join(', ')}` }] : [];
    }),
  ];
}

/** Returns the plan of a template. @param given values without mismatches */
export function filledTasks(template: KnownTemplate, given: Values): PlanTask[] {
  const values = new Map(
    parametersOf(template).map(({ name, default: preset }) => [
      name as string,
      Object.hasOwn(given, name) ? given[name]! : preset!,
    ]),
  );
  return template.tasks.map((task) => ({
    ...task,
    arguments: filled(task.arguments, values) as Record<string, unknown>,
  }));
}

function filled(value: unknown, values: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item) => filled(item, values));
  if (typeof value !== 'object' || value === null) return value;
  if ('$parameter' in value) return values.get(value.$parameter as string);
  if ('$sql' in value)
    return (value.$sql as string).replace(/\{(\w+)\}/g, (_, name: string) => identifier(values.get(name)!));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, filled(item, values)]));
}

/** Returns a name as an identifier of SQL. */
const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;
