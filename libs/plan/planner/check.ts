import { isDigits } from '#contracts/text.js';
import { nameOfStep } from '#contracts/json-pointer.js';
import { ThreadLimitError } from '#kit/graph/ports.js';
import type { PlanTask } from '../contract/values.js';
import { referenceOf, referencesIn } from '../contract/dependencies.js';
import { propertiesOf, typeOf, typesFit, type Schema } from '../contract/result-places.js';
import { InvalidPlanError, layersOf } from '../dag/dag.js';
import { BY_CLIENT } from '../dag/outbound.js';
import { planUpdate } from '../dag/progress.js';
import { isWriting } from '../dag/warnings.js';
import { MAP, mappedTool } from '../tools/platform/map.js';
import { redactText } from '../tools/redact.js';
import type { SchemaChecks } from '../tools/schema/schema-checks.js';
import type { ToolDescription } from '../tools/tool.js';
import type { Planned } from './answer.js';
import {
  codeProblems,
  fieldOf,
  knownColumns,
  listOf,
  tableNamed,
  type ColumnsOfTasks,
} from './check-code.js';
import type { InputGlance } from './prompt.js';
import type { CodeChecks } from '../tools/check/code-checks.js';

/** What the check of a plan knows. */
export interface Known {
  tools: ReadonlyMap<string, ToolDescription>;
  /** Tasks that ran before. */
  done: readonly PlanTask[];
  inputs: readonly InputGlance[];
  schemas: SchemaChecks;
  codes: CodeChecks;
  /** Whether arguments and files may still be added. */
  isOpen?: boolean;
}

/** Tools that take the name of an input file as `name`. */
const READING = new Set(['read_input', 'read_table', 'extract_text']);
const MAX_PROBLEMS = 20;
/** Maximum time of checking the code of one plan, in ms; each call checks its code again. */
const MAX_CHECK_MS = 10_000;

/** Returns the problems that prevent a plan from running, for the model that made it. Each names its task. */
export async function problemsOf(
  planned: Pick<Planned, 'tasks' | 'outputs' | 'missing'>,
  known: Known,
): Promise<string[]> {
  const { tasks, outputs, missing } = planned;
  if (tasks.length === 0)
    return missing.length > 0
      ? []
      : ['The plan has no tasks. If nothing can be done, say why under "missing".'];
  const all = [...known.done, ...tasks];
  const ofCalls = await problemsOfCalls(tasks, all, known);
  const problems = [...ofCalls.map(({ message }) => message), ...structure(all, known)];
  for (const { task } of outputs) {
    const found = all.find(({ id }) => id === task);
    const writes = found && isWriting(found);
    if (!writes)
      problems.push(`outputs: "${task}" is not a task that writes a file with write_file or a run.`);
  }
  return [...new Set(problems)].slice(0, MAX_PROBLEMS);
}

/** A problem of a task, which the message names. */
interface TaskProblem {
  /** Position of the task in the plan. */
  index: number;
  message: string;
}

/**
 * Returns the problems with which a plan that a client wrote would end after its start, without secrets. Arguments and
 * files may still be added: a person is asked for arguments that lack.
 *
 * @param tasks of a graph whose structure is valid, and whose tools are known
 */
export async function problemsOfGiven(
  tasks: readonly PlanTask[],
  known: Omit<Known, 'done' | 'isOpen'>,
): Promise<TaskProblem[]> {
  const problems = await problemsOfCalls(tasks, tasks, { ...known, done: [], isOpen: true });
  return problems
    .slice(0, MAX_PROBLEMS)
    .map(({ index, message }) => ({ index, message: redactText(message) }));
}

async function problemsOfCalls(
  tasks: readonly PlanTask[],
  all: readonly PlanTask[],
  given: Known,
): Promise<TaskProblem[]> {
  const known = { ...given, codes: given.codes.within(MAX_CHECK_MS) };
  const { columns, problems } = await knownColumns(all, known);
  const ofTasks = tasks.map(async (task, index) => {
    const found = await problemsOfTask(task, all, known, columns, problems.get(task.id));
    return found.map((message) => ({ index, message }));
  });
  return (await Promise.all(ofTasks)).flat();
}

function structure(all: PlanTask[], { tools, done }: Known): string[] {
  try {
    layersOf(all);
    if (all.every(({ tool }) => tools.has(tool))) planUpdate(all, { tools }, BY_CLIENT, done);
    return [];
  } catch (error) {
    if (error instanceof InvalidPlanError) return [error.message];
    throw error;
  }
}

async function problemsOfTask(
  task: PlanTask,
  all: readonly PlanTask[],
  known: Known,
  columns: ColumnsOfTasks,
  ofQuery: string | undefined,
): Promise<string[]> {
  const tool = known.tools.get(task.tool);
  if (!tool) return [`Task ${task.id}: there is no tool "${task.tool}".`];
  const problems = [
    ...(await argumentProblems(task.arguments, tool, all, known)),
    ...conditionProblems(task, all, known),
    ...(task.tool === MAP ? await mapProblems(task, all, known) : []),
    ...columnProblems(task, columns),
    ...(ofQuery === undefined ? [] : [ofQuery]),
    ...(await codeProblems(task, known)),
  ];
  return problems.map((problem) => `Task ${task.id} (${task.tool}): ${problem}`);
}

async function argumentProblems(
  args: Record<string, unknown>,
  tool: ToolDescription,
  all: readonly PlanTask[],
  known: Known,
): Promise<string[]> {
  const parameters = propertiesOf(tool.input);
  const required = (tool.input['required'] ?? []) as string[];
  const missing = required
    .filter((name) => !Object.hasOwn(args, name))
    .map((name) => `the parameter "${name}" is required.`);
  const given = Object.entries(args).map(async ([name, value]) => {
    const schema = parameters[name];
    if (!schema && tool.input['additionalProperties'] === false)
      return [`there is no parameter "${name}". It has: ${Object.keys(parameters).join(', ')}.`];
    return [
      ...wiringProblems(name, value, schema ?? {}, all, known),
      ...(await valueProblems(name, value, schema ?? {}, known)),
    ];
  });
  if (known.isOpen) return (await Promise.all(given)).flat();
  return [
    ...missing,
    ...(await Promise.all(given)).flat(),
    ...(READING.has(tool.name) ? fileProblems(args, known) : []),
  ];
}

/** Returns why a file or its sheet cannot be read. */
function fileProblems({ name, sheet }: Record<string, unknown>, { inputs }: Known): string[] {
  if (typeof name !== 'string') return [];
  const file = inputs.find((input) => input.name === name);
  if (!file) return [`there is no input file "${name}".`];
  const { tables = [] } = file;
  if (typeof sheet !== 'string' || tables.length === 0 || tableNamed(tables, sheet)) return [];
  const known = tables.map((each) => each.sheet).join(', ');
  return [`"sheet": "${name}" has no sheet "${sheet}". It has: ${known}.`];
}

/** Returns the problems of an argument's references: unknown places, and a type that does not fit. */
function wiringProblems(
  name: string,
  value: unknown,
  schema: Schema,
  all: readonly PlanTask[],
  known: Known,
): string[] {
  return referencesIn(value).flatMap((reference) => {
    const source = all.find(({ id }) => id === reference.$from);
    const output = source && known.tools.get(source.tool)?.output;
    // Unknown tasks and tools are reported elsewhere.
    if (!output) return [];
    const place = schemaAt(output, reference.path);
    if ('known' in place)
      return [
        `"${name}": the result of ${reference.$from} has nothing at "${reference.path}". It has: ${place.known.join(', ')}.`,
      ];
    const isWhole = referenceOf(value) !== null;
    if (!isWhole || typesFit(typeOf(place.schema), typeOf(schema))) return [];
    return [
      `"${name}" must be of type ${typeOf(schema)}, but "${reference.path}" of ${reference.$from} is of type ${typeOf(place.schema)}.`,
    ];
  });
}

/** Returns why a value that is written out does not match the schema of its parameter. */
async function valueProblems(
  name: string,
  value: unknown,
  schema: Schema,
  { schemas }: Known,
): Promise<string[]> {
  if (referencesIn(value).length > 0) return [];
  try {
    const checked = await schemas.check({ schema, value });
    // The call itself checks a value if the schema cannot be read here, or takes too long.
    return checked.is === 'invalid' ? [`"${name}": ${checked.problems.slice(0, 3).join('; ')}.`] : [];
  } catch (error) {
    if (error instanceof ThreadLimitError) return [];
    throw error;
  }
}

function conditionProblems({ when }: PlanTask, all: readonly PlanTask[], known: Known): string[] {
  return when ? wiringProblems('when', when, { type: 'boolean' }, all, known) : [];
}

/** Checks the arguments of the tool that a `map` calls, except values of the item, which have unknown types. */
async function mapProblems(task: PlanTask, all: readonly PlanTask[], known: Known): Promise<string[]> {
  const tool = known.tools.get(mappedTool(task) ?? '');
  const args = task.arguments['arguments'];
  if (!tool || typeof args !== 'object' || args === null || Array.isArray(args)) return [];
  const isOfItem = (value: unknown): boolean => JSON.stringify(value ?? null).includes('"$item"');
  const problems = await argumentProblems(args as Record<string, unknown>, tool, all, known);
  const open = Object.entries(args).filter(([, value]) => isOfItem(value));
  return problems
    .filter((problem) => !open.some(([name]) => problem.startsWith(`"${name}":`)))
    .map((problem) => `the called tool ${tool.name}: ${problem}`);
}

/** Columns that parse_csv gives to cells beyond the head. */
const BEYOND_HEAD = /^column_\d+$/;

/**
 * Returns a problem for each column that a plan step names and its table lacks. Tables whose columns are known only
 * when the plan runs are not checked.
 */
function columnProblems(task: PlanTask, columns: ColumnsOfTasks): string[] {
  const names = columns.of(task.arguments['rows'])?.map(({ name }) => name);
  if (!names) return [];
  return namedBy(task)
    .filter((name) => !names.includes(name) && !BEYOND_HEAD.test(name))
    .map((name) => `the table has no column "${name}". It has: ${names.join(', ')}.`);
}

/** Returns the columns that a task names. */
function namedBy({ tool, arguments: args }: PlanTask): string[] {
  if (tool === 'draw_chart') return textsIn([args['label'], ...listOf(args['values'])]);
  if (tool !== 'aggregate') return [];
  return textsIn([
    ...listOf(args['group_by']),
    ...listOf(args['measures']).map((each) => fieldOf(each, 'column')),
  ]);
}

const textsIn = (values: unknown[]): string[] => values.filter((value) => typeof value === 'string');

/**
 * Returns the schema at a JSON Pointer into a result, or `{}` if it is unknown. If the pointer leads nowhere, returns the
 * places that exist instead.
 */
function schemaAt(schema: Schema, pointer: string): { schema: Schema } | { known: string[] } {
  let at = schema;
  const parts = pointer === '' ? [] : pointer.slice(1).split('/');
  if (pointer !== '' && !pointer.startsWith('/')) return { known: placesIn(schema, '') };
  for (const [index, part] of parts.entries()) {
    const next = stepInto(at, nameOfStep(part));
    const path = parts
      .slice(0, index)
      .map((each) => `/${each}`)
      .join('');
    if (!next) return { known: placesIn(at, path) };
    at = next;
  }
  return { schema: at };
}

function stepInto(schema: Schema, name: string): Schema | null {
  const properties = schema['properties'] as Record<string, Schema> | undefined;
  if (properties && Object.hasOwn(properties, name)) return properties[name]!;
  const items = schema['items'] as Schema | undefined;
  if (schema['type'] === 'array') return isDigits(name) ? (items ?? {}) : null;
  const additional = schema['additionalProperties'];
  if (typeof additional === 'object' && additional !== null) return additional as Schema;
  // Platform tools list all properties; other results are open.
  if (properties) return null;
  return ['any', 'object'].includes(typeOf(schema)) ? {} : null;
}

function placesIn(schema: Schema, path: string): string[] {
  if (schema['type'] === 'array') return [`${path}/0`];
  const names = Object.keys(propertiesOf(schema));
  return names.length === 0 ? [`"${path}"`] : names.map((name) => `${path}/${name}`);
}
