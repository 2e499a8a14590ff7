import { ToolCallError } from '../tool.js';
import { queryTables } from './sql.js';

const cells = (texts: unknown[]) => ({ t: texts.map((a, k) => ({ a, k })) });
const query = async (texts: unknown[], sql: string, parameters: (string | number)[] = []) => {
  const { rows } = await queryTables(cells(texts), sql, parameters);
  return rows.map((row) => Object.values(row)[0]);
};
const problem = (texts: unknown[], sql: string, parameters: (string | number)[] = []) =>
  query(texts, sql, parameters).then(
    (rows) => `returned ${JSON.stringify(rows)}`,
    (error: unknown) =>
      error instanceof ToolCallError ? `${error.code}: ${error.message}` : `thrown: ${String(error)}`,
  );

const AMOUNTS = ['1.250,50', '980,00', '12,25'];
const READ = "REPLACE(REPLACE(a, '.', ''), ',', '.')";

describe('typed columns', () => {
  it.each([
    [AMOUNTS, 'SELECT a FROM t WHERE a > 1000', [1250.5]],
    [AMOUNTS, 'SELECT sum(CASE WHEN a > 900 THEN a ELSE 0 END) FROM t', [2230.5]],
    [AMOUNTS, 'SELECT a FROM t ORDER BY a', [12.25, 980, 1250.5]],
    [['12 kg', '9 kg'], 'SELECT max(a) FROM t', [12]],
    [['19 %', '7 %', ''], 'SELECT avg(a) FROM t', [13]],
    [['€ 5', '€ 10,50'], 'SELECT a FROM t ORDER BY 1 DESC', [10.5, 5]],
    [['05.01.2026', '31.12.2025'], 'SELECT a FROM t ORDER BY a', ['2025-12-31', '2026-01-05']],
    [['3/31/2026', '12/1/2025'], 'SELECT max(a) FROM t', ['2026-03-31']],
    [['1', '2'], 'SELECT sum(a) / count(*) FROM t', [1.5]],
    [['7', '12'], 'SELECT CAST(a / 8 AS INTEGER) FROM t ORDER BY a', [0, 1]],
    [['5', 'n/a'], "SELECT sum(CAST(a AS REAL)) FROM t WHERE a <> 'n/a'", [5]],
    [['12 kg', '9 lb'], "SELECT max(CAST(REPLACE(a, ' kg', '') AS REAL)) FROM t WHERE a LIKE '%kg'", [12]],
    [['12 kg', '9 lb'], 'SELECT a FROM t ORDER BY a COLLATE NOCASE', ['12 kg', '9 lb']],
    [['b', 'a', ''], 'SELECT a FROM t ORDER BY a', ['', 'a', 'b']],
    [['b', 'a'], "SELECT a FROM t WHERE a > 'a'", ['b']],
  ])('P13 computes %j, %s', async (texts, sql, expected) => {
    expect(await query(texts, sql)).toEqual(expected);
  });

  it.each([
    [['1.250', '3.500'], 'SELECT a FROM t WHERE a > 1000'],
    [['1.250', '3.500'], 'SELECT sum(CAST(a AS REAL)) FROM t'],
    [['1.250', '1'], 'SELECT a FROM t WHERE a = 1'],
    [['1.250', 'x'], 'SELECT k FROM t WHERE a IN (1, 2)'],
    [['1.250', 'x'], 'SELECT x.k FROM t x JOIN t y ON x.a = y.k'],
    [['1.250', 'x'], 'SELECT NULLIF(a, 1) FROM t'],
    [['12 kg', '9 lb'], 'SELECT max(a) FROM t'],
    [['12 kg', '9 lb'], 'SELECT a FROM t ORDER BY a'],
    [['12 kg', '9 lb'], 'SELECT a AS b FROM t ORDER BY b'],
    [['12 kg', '9 lb'], 'SELECT a FROM t ORDER BY 1'],
    [['12 kg', '9 lb'], 'SELECT a FROM t UNION SELECT a FROM t ORDER BY 1'],
    [['12 kg', '9 lb'], 'SELECT row_number() OVER (ORDER BY a) FROM t'],
    [['12 kg', '9 lb'], 'SELECT max(x) FROM (SELECT a AS x FROM t)'],
    [['12 kg', '9 lb'], "SELECT max(REPLACE(a, ' kg', '')) FROM t"],
    [['12 kg', '9 lb'], "SELECT a FROM t WHERE a > '10'"],
    [['12 kg', '9 lb'], 'SELECT a FROM t WHERE a BETWEEN 1 AND 10'],
    [['12 kg', '9 lb'], 'SELECT sum(CASE WHEN k > 0 THEN a ELSE 0 END) FROM t'],
    [['12 kg', '9 lb'], 'SELECT a * 2 FROM t'],
    [['5', 'n/a'], 'SELECT avg(a) FROM t'],
    [['05.01.2026', '31.12.'], 'SELECT max(a) FROM t'],
  ])('P13 refuses %j, %s', async (texts, sql) => {
    const message = await problem(texts, sql);
    expect(message).toMatch(/^not_a_number: .*"a" "/);
  });

  it.each([
    [[12, 9], 'SELECT k FROM t WHERE a > ?', ['x'], /^invalid_sql/],
    [['12 kg', '9 lb'], 'SELECT k FROM t WHERE a > ?', [5], /^not_a_number/],
    [['12 kg', '9 lb'], 'SELECT k FROM t WHERE a = ?', [5], /^not_a_number/],
    [AMOUNTS, `SELECT sum(CAST(${READ} AS REAL)) FROM t`, [], /^invalid_sql: .*"a" DECIMAL/],
  ])('P13 names types: %j, %s, %j', async (texts, sql, parameters, expected) => {
    expect(await problem(texts, sql, parameters)).toMatch(expected);
  });
});
