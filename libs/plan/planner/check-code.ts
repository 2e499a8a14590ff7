import { referenceOf } from '../contract/dependencies.js';
import type { PlanTask } from '../contract/values.js';
import { InvalidPlanError, layersOf } from '../dag/dag.js';
import type { CodeChecks } from '../tools/check/code-checks.js';
import type { Code } from '../tools/check/code.worker.js';
import { columnOf } from '../tools/platform/columns.js';
import { calledBy } from '../tools/platform/map.js';
import { readCsv } from '../tools/platform/read-csv.js';
import { isTextTable, READ_TABLE } from '../tools/platform/read-table.js';
import { isRows } from '../tools/platform/record.js';
import type { KnownColumns } from '../tools/platform/sql.js';
import { FILL_TEMPLATE } from '../tools/platform/template.js';
import { problemOfName } from '../tools/platform/write-file.js';
import type { InputGlance } from './prompt.js';
import { z } from 'zod';

interface Known {
  inputs: readonly InputGlance[];
  codes: CodeChecks;
}

/** Columns of the tables of a plan, as far as they are known before it runs. */
export class ColumnsOfTasks {
  private readonly byTask = new Map<string, KnownColumns>();

  set(task: string, columns: KnownColumns): void {
    this.byTask.set(task, columns);
  }

  /** Returns the columns of rows that are written out, or to which an argument refers; null if they are unknown. */
  of(rows: unknown): KnownColumns {
    if (isRows(rows)) return columnsIn(rows);
    const reference = referenceOf(rows);
    return reference?.path === '/rows' ? (this.byTask.get(reference.$from) ?? null) : null;
  }
}

/** Returns the columns of the results of a plan's steps, and the problem of each query, by step. */
export async function knownColumns(
  all: readonly PlanTask[],
  { inputs, codes }: Known,
): Promise<{ columns: ColumnsOfTasks; problems: Map<string, string> }> {
  const columns = new ColumnsOfTasks();
  const problems = new Map<string, string>();
  const byId = new Map(all.map((task) => [task.id, task]));
  for (const id of inOrder(all)) {
    const task = byId.get(id)!;
    const query = task.tool === 'query_tables' ? queryIn(task.arguments, columns) : null;
    if (query) {
      const checked = await codes.check(query);
      if (checked.problem !== null) problems.set(id, checked.problem);
      columns.set(id, checked.columns);
    } else columns.set(id, columnsOfResult(task, byId, inputs));
  }
  return { columns, problems };
}

/** Returns the ids in an order in which each step follows those that it depends on. */
function inOrder(all: readonly PlanTask[]): string[] {
  try {
    return layersOf(all).flat();
  } catch (error) {
    // Reported as a problem of the structure; an edited step comes without those that it depends on.
    if (error instanceof InvalidPlanError) return all.map(({ id }) => id);
    throw error;
  }
}

const scalarsSchema = z.array(z.union([z.string(), z.number(), z.boolean(), z.null()]));

/** Returns the query of a plan step; null if an earlier result contains it. */
function queryIn(args: PlanTask['arguments'], columns: ColumnsOfTasks): Code | null {
  const { sql, tables, parameters = [] } = args;
  if (typeof sql !== 'string') return null;
  const given = typeof tables === 'object' && tables !== null ? Object.entries(tables) : [];
  return {
    language: 'sql',
    text: sql,
    tables: Object.fromEntries(given.map(([name, rows]) => [name, columns.of(rows)])),
    parameters: scalarsSchema.safeParse(parameters).data ?? null,
  };
}

/** Returns the problems of expressions, templates and file names that are written out in a plan step, or in the call of a `map`. */
export async function codeProblems(task: PlanTask, { codes }: Pick<Known, 'codes'>): Promise<string[]> {
  const { tool, args } = calledBy(task);
  const text = {
    transform_json: args['expression'],
    branch: args['condition'],
    [FILL_TEMPLATE]: args['template'],
  }[tool];
  if (typeof text === 'string') {
    const language = tool === FILL_TEMPLATE ? 'liquid' : 'jsonata';
    const { problem } = await codes.check({ language, text });
    return problem === null ? [] : [problem];
  }
  const problem = tool === 'write_file' && typeof args['name'] === 'string' && problemOfName(args['name']);
  return problem ? [problem] : [];
}

function columnsOfResult(
  { tool, arguments: args }: PlanTask,
  all: ReadonlyMap<string, PlanTask>,
  inputs: readonly InputGlance[],
): KnownColumns {
  if (tool === 'aggregate') return columnsOfTotals(args);
  if (tool === READ_TABLE) return columnsOfRead(args, inputs);
  if (tool !== 'parse_csv' || (args['header'] ?? true) !== true) return null;
  // A wrong path to the text is another problem of the plan; the columns are meant all the same.
  const text = referenceOf(args['text']);
  const reader = text && all.get(text.$from);
  if (reader?.tool !== 'read_input') return null;
  const file = inputs.find(({ name }) => name === reader.arguments['name']);
  return file ? columnsOfFile(file, args['delimiter']) : null;
}

/** Returns the columns of a file's table, or of its first line, if that names them. */
function columnsOfRead(
  { name, sheet, delimiter, range, header_row }: PlanTask['arguments'],
  inputs: readonly InputGlance[],
): KnownColumns {
  const isPlain = range === undefined && header_row === undefined;
  const file = isPlain ? inputs.find((each) => each.name === name) : undefined;
  if (file?.tables) return tableNamed(file.tables, sheet)?.columns ?? null;
  return file && isTextTable(file.name) ? columnsOfFile(file, delimiter) : null;
}

/** Returns the table of a sheet, the first without a name; undefined if there is none. */
export const tableNamed = (tables: NonNullable<InputGlance['tables']>, sheet: unknown) =>
  sheet === undefined ? tables[0] : tables.find((each) => each.sheet === sheet);

function columnsOfTotals({ group_by: groups, measures }: Record<string, unknown>): KnownColumns {
  const names = listOf(measures).map(
    (each) =>
      fieldOf(each, 'as') ?? `${String(fieldOf(each, 'function'))}_${String(fieldOf(each, 'column'))}`,
  );
  const isText = (name: unknown) => typeof name === 'string';
  if (![...listOf(groups), ...names].every(isText)) return null;
  return [
    ...listOf(groups).map((name) => ({ name: name as string, type: 'VARCHAR' })),
    ...names.map((name) => ({ name: name as string, type: 'DOUBLE' })),
  ];
}

/** Number of records from which the types of a file's columns are guessed. */
const SAMPLE = 10;

/** Returns the columns of a file; null if it is unread or its first record is longer than what the planner sees. */
function columnsOfFile({ bytes, beginning }: InputGlance, delimiter: unknown): KnownColumns {
  if (beginning === null) return null;
  const isWhole = bytes <= Buffer.byteLength(beginning);
  const lines = isWhole ? beginning : beginning.slice(0, beginning.lastIndexOf('\n') + 1);
  try {
    const [head, ...rows] = readCsv(lines, typeof delimiter === 'string' ? delimiter : undefined, SAMPLE);
    if (!head || head.some((name) => name === '') || new Set(head).size < head.length) return null;
    return head.map((name, index) => ({ name, type: columnOf(rows.map((row) => row[index])).type }));
  } catch {
    return null;
  }
}

function columnsIn(rows: readonly Record<string, unknown>[]): KnownColumns {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return names.map((name) => ({ name, type: columnOf(rows.map((row) => row[name])).type }));
}

export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);
export const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
