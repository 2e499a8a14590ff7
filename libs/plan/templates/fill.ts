import { quoted } from '../tools/platform/columns.js';
import { isObject } from '#contracts/lenient.js';
import { phrase, type Phrase } from '#contracts/phrases/phrase.js';
import type { ParameterValue, ParameterValues, PlanParameter } from '../contract/parameters.js';
import type { PlanTask } from '../contract/values.js';

/** The parts of a template or saved plan that values are filled into. */
interface Fillable {
  parameters: readonly PlanParameter[];
  tasks: readonly PlanTask[];
}

/** Values that do not fit the parameters; the paths are those of the request. */
interface Mismatch {
  path: string;
  message: string;
}

/** Placeholder of a value in `$text` and `$sql`. */
const PLACEHOLDER = /\{(\w+)\}/g;

/**
 * Returns which values are missing, unknown, of another type, not among the choices, or not names of input files.
 *
 * @param files names of the input files of the session; null if unknown
 */
export function mismatches(
  parameters: readonly PlanParameter[],
  given: ParameterValues,
  files: readonly string[] | null = null,
): Mismatch[] {
  const unknown = Object.keys(given).filter((name) => !parameters.some((known) => known.name === name));
  return [
    ...unknown.map((name) => ({ path: 'parameters', message: `Unrecognized key: "${name}"` })),
    ...parameters.flatMap((parameter) => {
      const value = valueOf(parameter, given);
      const message = value === undefined ? 'is required by the plan' : problemOf(parameter, value, files);
      return message === null ? [] : [{ path: `parameters.${parameter.name}`, message }];
    }),
  ];
}

/** Returns the tasks with the values of the parameters. @param given values without mismatches */
export function filledTasks({ parameters, tasks }: Fillable, given: ParameterValues): PlanTask[] {
  const values = new Map(
    parameters.map((parameter) => [parameter.name, typed(parameter, valueOf(parameter, given)!)]),
  );
  return tasks.map((task) => ({
    ...task,
    arguments: filled(task.arguments, values) as Record<string, unknown>,
  }));
}

/** Returns what is wrong if a task uses a parameter that the plan does not have; null otherwise. */
export function unknownParameter({ parameters, tasks }: Fillable): Phrase | null {
  for (const { id, arguments: args } of tasks)
    for (const name of usedIn(args))
      if (!parameters.some((parameter) => parameter.name === name))
        return phrase('invalid_plan.unknown_parameter', { task: id, parameter: name });
  return null;
}

/** Returns a value for each parameter, by which the plan can be checked before it is run. */
export const sampleValues = (parameters: readonly PlanParameter[]): ParameterValues =>
  Object.fromEntries(
    parameters.map((parameter) => [parameter.name, parameter.default ?? sampleOf(parameter)]),
  );

function sampleOf({ kind, choices }: PlanParameter): ParameterValue {
  if (kind === 'number') return 1;
  return kind === 'boolean' ? true : (choices?.[0] ?? 'sample');
}

const valueOf = ({ name, default: preset }: PlanParameter, given: ParameterValues) =>
  Object.hasOwn(given, name) ? given[name] : preset;

/** Returns a value in the type of its parameter; undefined if it cannot be read as such. */
function typed({ kind }: PlanParameter, value: ParameterValue): ParameterValue | undefined {
  switch (kind) {
    case 'number': {
      const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
      return Number.isFinite(number) ? number : undefined;
    }
    case 'boolean':
      return [true, false].find((each) => value === each || value === String(each));
    case 'files':
    case 'collections':
      return typeof value === 'string' ? [value] : Array.isArray(value) ? value : undefined;
    default:
      return typeof value === 'string' ? value : undefined;
  }
}

const TYPES: Partial<Record<PlanParameter['kind'], string>> = {
  number: 'number',
  boolean: 'boolean',
  files: 'array',
  collections: 'array',
};

function problemOf(
  parameter: PlanParameter,
  given: ParameterValue,
  files: readonly string[] | null,
): string | null {
  const { kind, choices } = parameter;
  const value = typed(parameter, given);
  if (value === undefined) {
    const received = Array.isArray(given) ? 'array' : typeof given;
    return `Invalid input: expected ${TYPES[kind] ?? 'string'}, received ${received}`;
  }
  if (kind === 'choice' && choices?.includes(value as string) === false)
    return `one of ${choices.join(', ')}`;
  const named = kind === 'file' || kind === 'files' ? [value].flat() : [];
  const absent = files && named.find((name) => !files.includes(name as string));
  return absent === null || absent === undefined ? null : `the session has no file "${String(absent)}"`;
}

/** Returns the single entry of an argument that stands for a value, such as `{"$parameter": "file"}`. */
function marked(value: unknown): { mark: string; text: string } | null {
  if (!isObject(value)) return null;
  const [entry, ...others] = Object.entries(value);
  if (!entry || others.length > 0 || typeof entry[1] !== 'string') return null;
  const [mark, text] = entry;
  return ['$parameter', '$text', '$sql'].includes(mark) ? { mark, text } : null;
}

function usedIn(value: unknown): string[] {
  const mark = marked(value);
  if (mark?.mark === '$parameter') return [mark.text];
  if (mark) return [...mark.text.matchAll(PLACEHOLDER)].map(([, name]) => name!);
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(usedIn) : [];
}

type Values = ReadonlyMap<string, ParameterValue | undefined>;

function filled(value: unknown, values: Values): unknown {
  if (Array.isArray(value)) return value.map((item) => filled(item, values));
  if (!isObject(value)) return value;
  const mark = marked(value);
  if (!mark)
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, filled(item, values)]));
  const { mark: kind, text } = mark;
  if (kind === '$parameter') return values.get(text);
  return text.replace(PLACEHOLDER, (_, name: string) => {
    const part = [values.get(name) ?? ''].flat().join(', ');
    return kind === '$sql' ? quoted(part) : part;
  });
}
