import { phrase } from '#contracts/phrases/phrase.js';
import initSqlJs, { type BindParams, type Database, type SqlValue } from 'sql.js';
import { MAX_RESULT_LENGTH } from '../stored-result.js';
import { ToolCallError } from '../tool.js';
import { distinctNames } from './distinct-names.js';
import { requireNumbers, TextCells } from './number-use.js';
import { toSqlValue, WrittenNumbers } from './written-numbers.js';

type Row = Record<string, unknown>;

const MAX_ROWS = 50_000;
/** Maximum heap size of SQLite in bytes. */
const HEAP_LIMIT = 256 * 1024 * 1024;
/**
 * Allowed first words of a query. Others could do no harm, because the database exists for this query only;
 * refusing them gives a clear error.
 */
const READING = new Set(['select', 'with', 'values']);
const LONGEST_WORD = 20;

/**
 * Runs one SELECT over tables in memory. The engine is SQLite in WebAssembly, without access to files or the
 * network.
 *
 * @param tables rows by table name; values that are not scalar become JSON text
 * @throws ToolCallError if the statement is refused or fails
 */
export async function queryTables(
  tables: Record<string, Row[]>,
  sql: string,
  parameters: (string | number | boolean | null)[],
): Promise<{ columns: string[]; rows: Row[] }> {
  if (!READING.has(firstWord(sql)))
    throw new ToolCallError('invalid_sql', phrase('tool_error.sql_only_select'));
  const SQL = await initSqlJs();
  const database = new SQL.Database();
  try {
    database.run(`PRAGMA hard_heap_limit = ${HEAP_LIMIT}`);
    const written = new WrittenNumbers();
    const cells = new TextCells();
    for (const [name, rows] of Object.entries(tables)) load(database, name, rows, { written, cells });
    requireNumbers(sql, cells);
    // A statement that starts with "with" can write.
    database.run('PRAGMA query_only = ON');
    return select(database, sql, parameters.map(toSqlValue), written);
  } catch (error) {
    if (error instanceof ToolCallError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new ToolCallError('invalid_sql', phrase('tool_error.sql_failed', { reason: reason.slice(0, 300) }));
  } finally {
    database.close();
  }
}

/** Returns the first word of a statement after whitespace and comments, in linear time for any text. */
function firstWord(sql: string): string {
  const behind = (mark: string, from: number) => {
    const at = sql.indexOf(mark, from);
    return at < 0 ? sql.length : at + mark.length;
  };
  let at = 0;
  while (at < sql.length) {
    if (sql.startsWith('--', at)) at = behind('\n', at);
    else if (sql.startsWith('/*', at)) at = behind('*/', at + 2);
    else if (sql[at]!.trim() === '') at += 1;
    else break;
  }
  return /^\w*/.exec(sql.slice(at, at + LONGEST_WORD))![0].toLowerCase();
}

function select(
  database: Database,
  sql: string,
  values: BindParams,
  written: WrittenNumbers,
): { columns: string[]; rows: Row[] } {
  const statements = database.iterateStatements(sql);
  const { value: statement, done } = statements.next();
  if (done) throw new ToolCallError('invalid_sql', phrase('tool_error.sql_empty'));
  statement.bind(values);
  const exact: ExactStatement = statement;
  const names = statement.getColumnNames();
  const columns = distinctNames(names);
  const rows: Row[] = [];
  let length = 0;
  while (statement.step()) {
    if (rows.length === MAX_ROWS)
      throw new ToolCallError('too_large', phrase('tool_error.sql_too_many_rows', { max: MAX_ROWS }));
    const values = exact.get(null, { useBigInt: true });
    length += values.reduce((sum: number, value) => sum + lengthOf(value), 0);
    if (length > MAX_RESULT_LENGTH)
      throw new ToolCallError('too_large', phrase('tool_error.sql_too_large', { max: 64 }));
    rows.push(
      Object.fromEntries(
        values.map((value, index) => [columns[index]!, toJson(value, names[index]!, written)]),
      ),
    );
  }
  if (!statements.next().done) throw new ToolCallError('invalid_sql', phrase('tool_error.sql_one_statement'));
  return { columns, rows };
}

/** Value of a result. Integers keep all their digits. */
type ExactValue = SqlValue | bigint;
/** Overload of `get` that is missing in the package's types. */
interface ExactStatement {
  get(parameters: null, options: { useBigInt: true }): ExactValue[];
}

/** Returns the minimum number of characters of a value in the result. */
const lengthOf = (value: ExactValue): number =>
  typeof value === 'string' ? value.length : value instanceof Uint8Array ? 2 * value.length : 1;

/**
 * Converts a value for JSON: bytes become hexadecimal digits, integers that JSON would round become texts.
 */
function toJson(value: ExactValue, column: string, written: WrittenNumbers): string | number | null {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  if (typeof value === 'number') return written.original(column, value);
  if (typeof value !== 'bigint') return value;
  return Number.isSafeInteger(Number(value)) ? written.original(column, Number(value)) : String(value);
}

function load(
  database: Database,
  name: string,
  rows: Row[],
  { written, cells }: { written: WrittenNumbers; cells: TextCells },
): void {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  // SQLite treats names that differ only in case as equal.
  const names = distinctNames(columns, (column) => column.toLowerCase());
  const list = (names.length > 0 ? names : ['value']).map(quoted).join(', ');
  database.run(`CREATE TABLE ${quoted(name)} (${list})`);
  if (columns.length === 0) return;
  const toValues = columns.map((column) => {
    const valueOf = (row: Row): unknown => (Object.hasOwn(row, column) ? row[column] : null);
    const toSql = written.converter(column, rows.map(valueOf));
    return (row: Row): SqlValue => toSql(valueOf(row));
  });
  for (const [index, toValue] of toValues.entries()) cells.add(names[index]!, rows.map(toValue));
  const insert = database.prepare(
    `INSERT INTO ${quoted(name)} (${list}) VALUES (${columns.map(() => '?').join(', ')})`,
  );
  database.run('BEGIN');
  for (const row of rows) insert.run(toValues.map((toValue) => toValue(row)));
  database.run('COMMIT');
  insert.free();
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
