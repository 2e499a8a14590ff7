import { phrase } from '#contracts/phrases/phrase.js';
import type { DuckDBConnection, DuckDBInstance, DuckDBValue } from '@duckdb/node-api';
import { MAX_RESULT_LENGTH } from '../stored-result.js';
import { ToolCallError } from '../tool.js';
import { columnOf, type Column } from './columns.js';
import { distinctNames } from './distinct-names.js';
import { parseExactJson } from './exact-json.js';
import {
  columnsIn,
  convertsSilently,
  forEachNode,
  GUARD_ERROR,
  GUARD_MACROS,
  guardQuery,
  type SyntaxNode,
} from './sql-guard.js';

type Row = Record<string, unknown>;
type Parameter = string | number | boolean | null;

const MAX_ROWS = 50_000;
const LIMITS = {
  memory_limit: '256MiB',
  threads: '1',
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
};
/** Statements before the first table; nothing can change the configuration after the last. */
const SETTINGS = [
  "SET temp_directory = ''",
  'SET enable_external_access = false',
  // A division by zero is NULL.
  'SET ieee_floating_point_ops = false',
  'SET lock_configuration = true',
];

/**
 * Runs one SELECT over tables in memory. The engine is DuckDB, without access to files, the network or
 * extensions. The columns have types: a query that treats texts as numbers is refused.
 *
 * @param tables rows by table name; values that are not scalar become JSON text
 * @throws ToolCallError if the statement is refused or fails
 */
export async function queryTables(
  tables: Record<string, Row[]>,
  sql: string,
  parameters: Parameter[],
): Promise<{ columns: string[]; rows: Row[] }> {
  const instance = await startEngine();
  const connection = await instance.connect();
  try {
    for (const statement of [...SETTINGS, ...GUARD_MACROS]) await connection.run(statement);
    const columns: NamedColumn[] = [];
    for (const [name, rows] of Object.entries(tables)) columns.push(...(await load(connection, name, rows)));
    const tree = await parse(connection, sql);
    const names = columnsIn(tree);
    const used = columns.filter(({ name }) => names.has(name.toLowerCase()));
    guardQuery(tree);
    try {
      await check(connection, tree, parameters);
      return await select(connection, await print(connection, tree), parameters);
    } catch (error) {
      throw failure(error, used);
    }
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** The engine is native code; only this tool loads it, so that the others run where it has no binary. */
async function startEngine(): Promise<DuckDBInstance> {
  let engine: typeof import('@duckdb/node-api');
  try {
    engine = await import('@duckdb/node-api');
  } catch {
    const platform = `${process.platform}-${process.arch}`;
    throw new ToolCallError('not_available', phrase('tool_error.sql_no_engine', { platform }));
  }
  return engine.DuckDBInstance.create(':memory:', LIMITS);
}

interface NamedColumn extends Column {
  name: string;
}

async function load(connection: DuckDBConnection, table: string, rows: Row[]): Promise<NamedColumn[]> {
  const keys = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  // Names that differ only in case are equal in SQL.
  const names = distinctNames(keys, (key) => key.toLowerCase());
  const valueOf = (row: Row, key: string): unknown => (Object.hasOwn(row, key) ? row[key] : null);
  const columns = keys.map((key, index) => ({
    key,
    name: names[index]!,
    ...columnOf(rows.map((row) => valueOf(row, key))),
  }));
  const list = columns.map(({ name, type }) => `${quoted(name)} ${type}`).join(', ');
  await connection.run(`CREATE TABLE ${quoted(table)} (${list || 'value VARCHAR'})`);
  if (columns.length === 0) return [];
  const appender = await connection.createAppender(table);
  for (const row of rows) {
    for (const { key, convert } of columns) {
      const value = convert(valueOf(row, key));
      if (value === null) appender.appendNull();
      else appender.appendVarchar(value);
    }
    appender.endRow();
  }
  appender.closeSync();
  return columns;
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

async function read(connection: DuckDBConnection, expression: string): Promise<string> {
  const [[value] = []] = (await connection.runAndReadAll(`SELECT ${expression}`)).getRows();
  return String(value);
}

/** Returns the syntax tree of the only statement. @throws ToolCallError */
async function parse(connection: DuckDBConnection, sql: string): Promise<SyntaxNode> {
  const json = await read(connection, `json_serialize_sql(${literal(sql)})`);
  const parsed = parseExactJson(json) as SyntaxNode;
  if (parsed['error_type'] === 'not implemented')
    throw new ToolCallError('invalid_sql', phrase('tool_error.sql_only_select'));
  if (parsed['error']) throw failure(new Error(String(parsed['error_message'])), []);
  const { length } = parsed['statements'] as unknown[];
  if (length === 0) throw new ToolCallError('invalid_sql', phrase('tool_error.sql_empty'));
  if (length > 1) throw new ToolCallError('invalid_sql', phrase('tool_error.sql_one_statement'));
  // The positions exceed what a number of JavaScript can represent.
  forEachNode(parsed, (node) => delete node['query_location']);
  return parsed;
}

/** Returns the SQL of a syntax tree. Numbers that `parseExactJson` left as texts become numbers again. */
async function print(connection: DuckDBConnection, tree: SyntaxNode): Promise<string> {
  const json = JSON.stringify(tree, (key, value: unknown) =>
    key === 'value' && isExactNumber(value) ? { ...value, value: `\0${value.value}` } : value,
  );
  return read(
    connection,
    `json_deserialize_sql(${literal(json.replaceAll(/"\\u0000(-?\d+)"/g, '$1'))}::JSON)`,
  );
}

const isExactNumber = (value: unknown): value is { type: { id: string }; value: string } => {
  const constant = value as { type?: { id?: string }; value?: unknown } | null;
  return typeof constant?.value === 'string' && /INT|DECIMAL/.test(constant.type?.id ?? '');
};

/** @throws Error if the query converts texts to numbers silently, or does not fit the tables */
async function check(
  connection: DuckDBConnection,
  tree: SyntaxNode,
  parameters: readonly Parameter[],
): Promise<void> {
  const bound = structuredClone(tree);
  forEachNode(bound, (node) => {
    if (node['class'] !== 'PARAMETER') return;
    const value = parameters[Number(node['identifier']) - 1] ?? null;
    const id = { string: 'VARCHAR', number: 'DOUBLE', boolean: 'BOOLEAN' }[typeof value as string] ?? 'NULL';
    const constant = { type: { id, type_info: null }, is_null: value === null, value };
    Object.assign(node, { class: 'CONSTANT', type: 'VALUE_CONSTANT', value: constant });
  });
  const sql = await print(connection, bound);
  const json = await read(connection, `json_serialize_plan(${literal(sql)}, optimize := false)`);
  const plan = JSON.parse(json) as SyntaxNode;
  if (plan['error']) throw new Error(String(plan['error_message']));
  if (convertsSilently(plan)) throw new Error(`${GUARD_ERROR}text compared with a number`);
}

async function select(
  connection: DuckDBConnection,
  sql: string,
  parameters: DuckDBValue[],
): Promise<{ columns: string[]; rows: Row[] }> {
  const result = await connection.stream(sql, parameters);
  const columns = distinctNames(result.columnNames());
  const rows: Row[] = [];
  let length = 0;
  for await (const chunk of result.yieldRows())
    for (const values of chunk) {
      if (rows.length === MAX_ROWS)
        throw new ToolCallError('too_large', phrase('tool_error.sql_too_many_rows', { max: MAX_ROWS }));
      const cells = values.map(toJson);
      length += cells.reduce((sum: number, cell) => sum + (typeof cell === 'string' ? cell.length : 1), 0);
      if (length > MAX_RESULT_LENGTH)
        throw new ToolCallError('too_large', phrase('tool_error.sql_too_large', { max: 64 }));
      rows.push(Object.fromEntries(cells.map((cell, index) => [columns[index]!, cell])));
    }
  return { columns, rows };
}

/**
 * Converts a value for JSON: bytes become hexadecimal digits, integers that JSON would round become texts, dates
 * are written as 2026-01-31.
 */
function toJson(value: DuckDBValue): string | number | boolean | null {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value === 'object' && 'bytes' in value) return Buffer.from(value.bytes).toString('hex');
  const isNumber = typeof value === 'bigint' || 'scale' in value;
  const number = isNumber ? Number(value.toString()) : Number.NaN;
  if (Number.isSafeInteger(number) || (isNumber && !Number.isInteger(number))) return number;
  return String(value);
}

/** Returns the error of a query, with the types of its columns: most errors are about these. */
function failure(error: unknown, used: readonly NamedColumn[]): ToolCallError {
  if (error instanceof ToolCallError) return error;
  const message = error instanceof Error ? error.message : String(error);
  const reason = message.split('\n', 1)[0]!.slice(0, 300);
  const guarded = used.filter(({ sample }) => sample !== null);
  const columns = (guarded.length > 0 ? guarded : used)
    .slice(0, 5)
    .map(
      ({ name, type, sample }) => `"${name}" ${sample === null ? type : JSON.stringify(sample).slice(0, 60)}`,
    )
    .join(', ');
  const isAboutNumbers = message.includes(GUARD_ERROR) || (guarded.length > 0 && /cast|type/i.test(message));
  if (isAboutNumbers && columns !== '')
    return new ToolCallError(
      'not_a_number',
      phrase('tool_error.sql_texts', {
        columns,
        reason,
        convert: "CAST(REPLACE(Price, ' USD', '') AS NUMERIC)",
        collate: 'ORDER BY Name COLLATE NOCASE',
      }),
    );
  const suffix = columns === '' ? '' : ` (${columns})`;
  return new ToolCallError('invalid_sql', phrase('tool_error.sql_failed', { reason: reason + suffix }));
}
