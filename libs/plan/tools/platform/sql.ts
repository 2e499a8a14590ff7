import { phrase } from '#contracts/phrases/phrase.js';
import type { DuckDBConnection, DuckDBInstance, DuckDBValue } from '@duckdb/node-api';
import { MAX_RESULT_LENGTH } from '../stored-result.js';
import { ToolCallError } from '../tool.js';
import { columnOf, UNKNOWN_TYPE, type Column, quoted } from './columns.js';
import { readTable, type EmptyTable, distinctNames } from './record.js';
import { digitsOf } from './exact-json.js';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
  // In DuckDB 1.5.6, it loses rows of a QUALIFY by row_number() that are sorted by rowid.
  "SET disabled_optimizers = 'top_n_window_elimination'",
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
  tables: Record<string, Row[] | EmptyTable>,
  sql: string,
  parameters: Parameter[],
): Promise<{ columns: string[]; rows: Row[] }> {
  let used: NamedColumn[] = [];
  const explain = (error: unknown) => failure(error, used);
  return withEngine([...SETTINGS, ...GUARD_MACROS], explain, async (connection) => {
    const tree = await parse(connection, sql);
    bind(tree, parameters);
    const names = columnsIn(tree);
    const columns: NamedColumn[] = [];
    for (const [name, table] of Object.entries(tables))
      columns.push(...(await load(connection, name, table, namesOf(tree))));
    used = columns.filter(({ name }) => names.has(name.toLowerCase()));
    const printed = await print(connection, tree);
    const unknown = columns.filter(
      ({ name, type }) => type === UNKNOWN_TYPE && names.has(name.toLowerCase()),
    );
    await chooseTypes(connection, unknown, printed);
    const results = await resultColumns(connection, printed);
    guardQuery(tree);
    const guarded = await print(connection, tree);
    await chooseTexts(connection, unknown, guarded);
    await check(connection, guarded);
    return select(connection, guarded, results);
  });
}

/** Types that unknown columns may have: an error that stays with each of them does not depend on the types. */
const TRIED_TYPES = ['VARCHAR', 'DOUBLE', 'DATE'];
/** Errors about a name that does not exist, whatever types the columns have. */
const NAME_ERRORS = ['COLUMN_NOT_FOUND', 'MISSING_ENTRY'];

/** Columns of a table with their types in SQL, as far as these are known; null if not even the names are known. */
export type KnownColumns = { name: string; type: string }[] | null;

/**
 * Checks a statement before its tables exist, over empty tables with the known columns.
 *
 * @param parameters values of the placeholders; null if they are not known yet
 * @returns the columns of the result, null if they depend on what is not known yet
 * @throws ToolCallError if the statement is refused, or would fail with any rows
 */
export async function checkQuery(
  tables: Record<string, KnownColumns>,
  sql: string,
  parameters: Parameter[] | null,
): Promise<KnownColumns> {
  const explain = (error: unknown) => failure(error, []);
  return withEngine([...SETTINGS, ...GUARD_MACROS], explain, async (connection) => {
    const tree = await parse(connection, sql);
    bind(tree, parameters ?? Array<null>(placeholdersIn(tree)).fill(null));
    const printed = await print(connection, tree);
    guardQuery(tree);
    return columnsOfResult(connection, tables, printed);
  });
}

/**
 * Returns the rows of a Parquet file. The engine may read this file only.
 *
 * @throws ToolCallError
 */
export async function queryParquet(bytes: Uint8Array): Promise<{ columns: string[]; rows: Row[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'table-'));
  const path = join(folder, 'table.parquet');
  const explain = (error: unknown) =>
    failure(error instanceof Error ? new Error(error.message.replaceAll(path, 'the file')) : error, []);
  try {
    await writeFile(path, bytes);
    return await withEngine(
      [`SET allowed_paths = [${literal(path)}]`, ...SETTINGS],
      explain,
      async (connection) => {
        const sql = `SELECT * FROM read_parquet(${literal(path)})`;
        return select(connection, sql, await resultColumns(connection, sql));
      },
    );
  } finally {
    await rm(folder, { recursive: true });
  }
}

/**
 * Opens an engine, runs the statements and then the work on it, and closes it.
 *
 * @param explain returns what is thrown for an error of either
 */
async function withEngine<T>(
  statements: readonly string[],
  explain: (error: unknown) => ToolCallError,
  work: (connection: DuckDBConnection) => Promise<T>,
): Promise<T> {
  const instance = await startEngine();
  const connection = await instance.connect();
  try {
    for (const statement of statements) await connection.run(statement);
    return await work(connection);
  } catch (error) {
    throw explain(error);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

function placeholdersIn(tree: SyntaxNode): number {
  const found = new Set<number>();
  forEachNode(tree, (node) => node['class'] === 'PARAMETER' && found.add(Number(node['identifier'])));
  return Math.max(0, ...found);
}

/** @throws Error if the query fails with every type that the columns may have */
async function columnsOfResult(
  connection: DuckDBConnection,
  tables: Record<string, KnownColumns>,
  sql: string,
): Promise<KnownColumns> {
  const isOpen = Object.values(tables).includes(null);
  const messages = new Set<string>();
  for (const type of [null, ...TRIED_TYPES]) {
    for (const [name, columns] of Object.entries(tables)) {
      const list = (columns ?? [])
        .map((column) => `${quoted(column.name)} ${type ?? column.type}`)
        .join(', ');
      await connection.run(`CREATE OR REPLACE TABLE ${quoted(name)} (${list || 'value VARCHAR'})`);
    }
    const plan = await planOf(connection, sql);
    if (!plan['error']) return isOpen ? null : await resultColumns(connection, sql);
    const message = String(plan['error_message']);
    const isName = NAME_ERRORS.includes(String(plan['error_subtype']));
    if (isName && (!isOpen || plan['error_type'] === 'catalog')) throw new Error(message);
    messages.add(message);
  }
  if (messages.size === 1 && !isOpen) throw new Error([...messages][0]);
  return null;
}

/** Returns the result's columns, with names without what guarding adds, as in `max(price)`. */
async function resultColumns(
  connection: DuckDBConnection,
  sql: string,
): Promise<{ name: string; type: string }[]> {
  const statement = await connection.prepare(sql);
  const indices = Array.from({ length: statement.columnCount }, (_, index) => index);
  const names = distinctNames(indices.map((index) => statement.columnName(index)));
  const columns = indices.map((index) => ({
    name: names[index]!,
    type: String(statement.columnType(index)),
  }));
  statement.destroySync();
  return columns;
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
  table: string;
  name: string;
}

/** @param named columns that an empty table gets if its own are unknown */
async function load(
  connection: DuckDBConnection,
  table: string,
  content: Row[] | EmptyTable,
  named: string[],
): Promise<NamedColumn[]> {
  const { rows, columns: known } = readTable(content);
  const keys = known ?? named;
  // Names that differ only in case are equal in SQL.
  const names = distinctNames(keys, (key) => key.toLowerCase());
  const valueOf = (row: Row, key: string): unknown => (Object.hasOwn(row, key) ? row[key] : null);
  const columns = keys.map((key, index) => ({
    key,
    table,
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

/** Returns the columns that a query names, except those that it defines. */
function namesOf(tree: SyntaxNode): string[] {
  const defined = new Set<string>();
  forEachNode(tree, (node) => defined.add(String(node['alias']).toLowerCase()));
  return [...columnsIn(tree)].filter((name) => !defined.has(name) && name !== 'rowid');
}

/**
 * Gives columns without values a type with which the query can run, because functions such as `year` want one. A type is
 * kept if the query then has no error, or its first error is behind that of before.
 */
async function chooseTypes(
  connection: DuckDBConnection,
  unknown: readonly NamedColumn[],
  sql: string,
): Promise<void> {
  let place = unknown.length === 0 ? null : await placeOfError(connection, sql);
  for (const column of unknown) {
    for (const type of ['DATE', 'VARCHAR', 'DOUBLE', UNKNOWN_TYPE]) {
      if (place === null) return;
      await setType(connection, column, type);
      const next = await placeOfError(connection, sql);
      if (next !== null && next <= place) continue;
      place = next;
      break;
    }
  }
}

/** Gives columns without values the type of the texts with which a query compares them, instead of that of a number. */
async function chooseTexts(
  connection: DuckDBConnection,
  unknown: readonly NamedColumn[],
  sql: string,
): Promise<void> {
  for (const column of unknown.filter(({ type }) => type === UNKNOWN_TYPE)) {
    if (!convertsSilently(await planOf(connection, sql))) return;
    await setType(connection, column, 'VARCHAR');
    if ((await placeOfError(connection, sql)) !== null) await setType(connection, column, UNKNOWN_TYPE);
  }
}

async function setType(connection: DuckDBConnection, column: NamedColumn, type: string): Promise<void> {
  await connection.run(`ALTER TABLE ${quoted(column.table)} ALTER ${quoted(column.name)} TYPE ${type}`);
  column.type = type;
}

/** Returns the position of a query's first error; null if it has none. */
async function placeOfError(connection: DuckDBConnection, sql: string): Promise<number | null> {
  const plan = await planOf(connection, sql);
  return plan['error'] ? Number(plan['position'] ?? 0) : null;
}

async function planOf(connection: DuckDBConnection, sql: string): Promise<SyntaxNode> {
  const json = await read(connection, `json_serialize_plan(${literal(sql)}, optimize := false)`);
  return JSON.parse(json) as SyntaxNode;
}

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

async function read(connection: DuckDBConnection, expression: string): Promise<string> {
  const [[value] = []] = (await connection.runAndReadAll(`SELECT ${expression}`)).getRows();
  return String(value);
}

/** Marks the texts that replace numbers in a syntax tree which JavaScript would round or write otherwise. */
const EXACT = '\0';
/** Strings and numbers of JSON. The last quote is optional so that the search takes linear time. */
const JSON_TOKENS = /"(?:[^"\\]|\\.)*"?|-?\d[\d.eE+-]*/g;

/** Returns the syntax tree of the only statement. @throws ToolCallError */
async function parse(connection: DuckDBConnection, sql: string): Promise<SyntaxNode> {
  const json = await read(connection, `json_serialize_sql(${literal(sql)})`);
  const exact = json.replace(JSON_TOKENS, (token) =>
    token.startsWith('"') || /^-?\d{1,15}$/.test(token) ? token : JSON.stringify(EXACT + token),
  );
  const parsed = JSON.parse(exact) as SyntaxNode;
  if (parsed['error_type'] === 'not implemented')
    throw new ToolCallError('invalid_sql', phrase('tool_error.sql_only_select'));
  if (parsed['error'])
    throw new Error(`${String(parsed['error_message'])}${placeIn(sql, parsed['position'])}`);
  const { length } = parsed['statements'] as unknown[];
  if (length === 0) throw new ToolCallError('invalid_sql', phrase('tool_error.sql_empty'));
  if (length > 1) throw new ToolCallError('invalid_sql', phrase('tool_error.sql_one_statement'));
  // Equal expressions are compared without their positions.
  forEachNode(parsed, (node) => delete node['query_location']);
  return parsed;
}

/** Characters that are shown before and after the place of an error. */
const SHOWN = 15;

/** Returns the text around a position in a query, in bytes; empty without one. */
function placeIn(sql: string, position: unknown): string {
  if (position === undefined) return '';
  const at = Buffer.from(sql).subarray(0, Number(position)).toString().length;
  return `: …${sql.slice(Math.max(0, at - SHOWN), at + SHOWN)}…`;
}

/** Returns the SQL of a syntax tree. */
function print(connection: DuckDBConnection, tree: SyntaxNode): Promise<string> {
  const json = JSON.stringify(tree).replace(JSON_TOKENS, (token) =>
    /^"\\u0000[\d.eE+-]+"$/.test(token) ? token.slice(7, -1) : token,
  );
  return read(connection, `json_deserialize_sql(${literal(json)}::JSON)`);
}

/** Replaces the placeholders by their values. @throws Error unless there is a value for each, and no more */
function bind(tree: SyntaxNode, parameters: readonly Parameter[]): void {
  const bound = new Set<number>();
  forEachNode(tree, (node) => {
    if (node['class'] !== 'PARAMETER') return;
    const position = Number(node['identifier']);
    const value = parameters[position - 1];
    if (value === undefined) throw new Error(`no value for the placeholder ${String(node['identifier'])}`);
    bound.add(position);
    Object.assign(node, { class: 'CONSTANT', type: 'VALUE_CONSTANT', value: constantOf(value) });
    delete node['identifier'];
  });
  if (bound.size < parameters.length)
    throw new Error(`${parameters.length} values for ${bound.size} placeholders`);
  for (const statement of tree['statements'] as SyntaxNode[]) statement['named_param_map'] = [];
}

function constantOf(value: Parameter): SyntaxNode {
  const constant = (id: string, content: unknown = value) => ({
    type: { id, type_info: null },
    is_null: value === null,
    value: content,
  });
  if (value === null) return constant('NULL');
  if (typeof value === 'boolean') return constant('BOOLEAN');
  if (typeof value === 'string') return constant('VARCHAR');
  // The engine reads a DOUBLE only with a point or an exponent.
  return Number.isSafeInteger(value) ? constant('BIGINT') : constant('DOUBLE', EXACT + value.toExponential());
}

/** @throws Error if the query converts texts to numbers silently, or does not fit the tables */
async function check(connection: DuckDBConnection, sql: string): Promise<void> {
  const plan = await planOf(connection, sql);
  if (plan['error']) throw new Error(String(plan['error_message']));
  if (convertsSilently(plan)) throw new Error(`${GUARD_ERROR}text compared with a number`);
}

async function select(
  connection: DuckDBConnection,
  sql: string,
  results: readonly { name: string }[],
): Promise<{ columns: string[]; rows: Row[] }> {
  const columns = results.map(({ name }) => name);
  const result = await connection.stream(sql);
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

/** Converts a value for JSON: bytes become hexadecimal digits, numbers that JSON would round become texts. */
function toJson(value: DuckDBValue): string | number | boolean | null {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value === 'object' && 'bytes' in value) return Buffer.from(value.bytes).toString('hex');
  const text = String(value);
  if (typeof value !== 'bigint' && !('scale' in value)) return text;
  const number = Number(text);
  return digitsOf(text) === digitsOf(String(number)) ? number : text;
}

/** Returns the error of a query, with the types of its columns: most errors are about these. */
function failure(error: unknown, used: readonly NamedColumn[]): ToolCallError {
  if (error instanceof ToolCallError) return error;
  const message = error instanceof Error ? error.message : String(error);
  // Without the lines that quote the query; similar names are on the lines between.
  const reason = message.split('\n\nLINE ', 1)[0]!.replaceAll(/\s+/g, ' ').trim().slice(0, 300);
  if (/^Out of Memory|could not allocate/.test(reason))
    return new ToolCallError('too_large', phrase('tool_error.memory'));
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
