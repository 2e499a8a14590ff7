import type { PlanTask } from '../contract/values.js';
import { referenceOf } from '../dag/dag.js';
import { readCsv } from '../tools/platform/read-csv.js';
import type { InputGlance } from './prompt.js';

/** Columns that parse_csv gives to cells beyond the head. */
const BEYOND_HEAD = /^column_\d+$/;

/**
 * Returns a problem for each column that a plan step names and its table lacks. Tables whose columns are known only
 * when the plan runs are not checked.
 */
export function columnProblems(
  task: PlanTask,
  all: readonly PlanTask[],
  inputs: readonly InputGlance[],
): string[] {
  const columns = columnsOf(task.arguments['rows'], all, inputs);
  if (columns === null) return [];
  return namedBy(task)
    .filter((name) => !columns.includes(name) && !BEYOND_HEAD.test(name))
    .map((name) => `the table has no column "${name}". It has: ${columns.join(', ')}.`);
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

/** Returns the columns of the rows to which an argument refers; null if they are unknown. */
function columnsOf(rows: unknown, all: readonly PlanTask[], inputs: readonly InputGlance[]): string[] | null {
  const reference = referenceOf(rows);
  const source = reference?.path === '/rows' ? all.find(({ id }) => id === reference.$from) : undefined;
  if (source?.tool === 'aggregate') return columnsOfTotals(source.arguments);
  if (source?.tool !== 'parse_csv' || (source.arguments['header'] ?? true) !== true) return null;
  // A wrong path to the text is another problem of the plan; the columns are meant all the same.
  const text = referenceOf(source.arguments['text']);
  const reader = all.find(({ id }) => id === text?.$from);
  if (reader?.tool !== 'read_input') return null;
  const file = inputs.find(({ name }) => name === reader.arguments['name']);
  return file ? headOf(file, source.arguments['delimiter']) : null;
}

function columnsOfTotals({ group_by: groups, measures }: Record<string, unknown>): string[] | null {
  const names = listOf(measures).map(
    (each) =>
      fieldOf(each, 'as') ?? `${String(fieldOf(each, 'function'))}_${String(fieldOf(each, 'column'))}`,
  );
  const columns = [...listOf(groups), ...names];
  return columns.every((name) => typeof name === 'string') ? columns : null;
}

/** Returns the first record of a file; null if the file is unread or begins with more than the planner sees. */
function headOf({ bytes, beginning }: InputGlance, delimiter: unknown): string[] | null {
  if (beginning === null) return null;
  const isWhole = bytes <= Buffer.byteLength(beginning);
  const lines = isWhole ? beginning : beginning.slice(0, beginning.lastIndexOf('\n') + 1);
  try {
    const [head] = readCsv(lines, typeof delimiter === 'string' ? delimiter : undefined, 1);
    return head && head.every((name) => name !== '') && new Set(head).size === head.length ? head : null;
  } catch {
    return null;
  }
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);
const textsIn = (values: unknown[]): string[] => values.filter((value) => typeof value === 'string');
const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
